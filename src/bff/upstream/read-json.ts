import type { UpstreamAnswer } from './exchange.ts';

/** The body of an answer, where it says that it is JSON and is; `{ ok: false }` otherwise. */
export function readJson(answer: UpstreamAnswer): { ok: true; value: unknown } | { ok: false } {
  return saysJson(answer) ? parseJson(answer.bytes) : { ok: false };
}

/** Whether an answer says that its body is JSON. */
export function saysJson({ headers }: Pick<UpstreamAnswer, 'headers'>): boolean {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
  return /^application\/([\w.-]+\+)?json$/i.test(type);
}

/** Whether bytes are JSON in UTF-8, to the last of them. */
export const isJson = (bytes: Uint8Array): boolean => parseJson(bytes).ok;

function parseJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
