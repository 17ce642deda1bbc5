import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { wireOnce } from '../http/endpoint.ts';

/** Only what an address needs: the first view loads this, and the rules of `instant` are much larger. */
const isoTime = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const relative = /^(-?[1-9]\d{0,3})d$/;

/**
 * A moment in a query: an ISO 8601 date-time with a time zone, turned into UTC; or one relative to now: `now`, `7d` (in
 * seven days of 24 hours) or `-30d`. A saved filter with a relative moment moves on with time.
 */
export const wireMoment = wireOnce.check(
  z.refine(
    (text) => text === 'now' || relative.test(text) || isInstant(text),
    'Enter a date and time with a time zone, such as 2026-12-31T22:00:00Z; or now, or days from now, such as 7d or -30d.',
  ),
  z.overwrite((text) => (isInstant(text) ? new Date(text).toISOString() : text)),
);

/** Whether a text is an ISO 8601 date-time with a time zone. */
export function isInstant(text: string): boolean {
  const date = isoTime.exec(text)?.[1];
  if (date === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse takes 30 February for 2 March.
  return new Date(date).toISOString().startsWith(date);
}

/**
 * The moment in ms since 1970. Relative ones begin one ms after now, because a subscriber whose expiry is this ms has
 * expired: so those from now on and those up to now are everybody, and nobody twice.
 *
 * @param now in ms since 1970
 */
export function resolveMoment(moment: string, now: number): number {
  if (moment === 'now') return now + 1;
  const days = relative.exec(moment)?.[1];
  return days === undefined ? Date.parse(moment) : now + 1 + Number(days) * 24 * 60 * 60_000;
}

/** A query whose moments are instants, so that all its pages are of one moment. @param now in ms since 1970 */
export function resolveMoments<
  Q extends { ExpiresFrom?: string | undefined; ExpiresTo?: string | undefined },
>(query: Q, now: number): Q {
  const { ExpiresFrom, ExpiresTo } = query;
  const instantOf = (moment: string) => new Date(resolveMoment(moment, now)).toISOString();
  return {
    ...query,
    ...(ExpiresFrom !== undefined && { ExpiresFrom: instantOf(ExpiresFrom) }),
    ...(ExpiresTo !== undefined && { ExpiresTo: instantOf(ExpiresTo) }),
  };
}
