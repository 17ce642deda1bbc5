import type { UpstreamAnswer } from './exchange.ts';

/** The body of an answer, where it says that it is JSON and is; `{ ok: false }` otherwise. */
export function readJson(answer: UpstreamAnswer): { ok: true; value: unknown } | { ok: false } {
  if (!saysJson(answer)) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(utf8.decode(answer.bytes)) };
  } catch {
    return { ok: false };
  }
}

function saysJson({ headers }: UpstreamAnswer): boolean {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
  return /^application\/([\w.-]+\+)?json$/i.test(type);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
