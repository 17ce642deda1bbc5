/**
 * How long a service asks to wait, in ms: `Retry-After` in seconds or as a date (RFC 9110 §10.2.3). Null where there
 * is none that can be read, which is as if it said nothing.
 *
 * @param now milliseconds since 1970
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>, now: number): number | null {
  const text = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longest);
  // A date begins with its day; Date.parse alone would take `-1` and `1.5` for years and months.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.min(Math.max(0, time - now), longest);
}

/** A day: what asks for more says no more than "not today". */
const longest = 24 * 60 * 60_000;
