import type { UpstreamAnswer } from './exchange.ts';

/** The body of an answer, where it says that it is JSON and is; `{ ok: false }` otherwise. */
export function readJson(answer: UpstreamAnswer): { ok: true; value: unknown } | { ok: false } {
  const type = answer.headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
  if (!/^application\/([\w.-]+\+)?json$/i.test(type)) return { ok: false };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes);
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}
