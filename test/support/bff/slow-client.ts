/** Takes the first part of a file; then calls, and takes the rest. @returns the lines of the file, without its last one */
export async function takeSlowly({ body }: Response, between: () => Promise<unknown>): Promise<string[]> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (text === '') await between();
    text += decoder.decode(part.value, { stream: true });
  }
  return text.trimEnd().split('\n').slice(0, -1);
}
