/** Gives a person a text as a file, by a link that is pressed for them. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers take hold of it in their own time.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
