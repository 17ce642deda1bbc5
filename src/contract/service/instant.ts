import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { saying } from './characters.ts';
import { wireOnce } from '../http/endpoint.ts';

const wantsDate = 'Enter a date and time with a time zone, such as 2026-12-31T22:00:00Z.';

/** An ISO 8601 date-time with a time zone, years 0001 to 9999, turned into UTC: `2026-12-31T22:00:00.000Z`. */
export const instant = z.string(wantsDate).check(
  saying(
    z.refine<string>(
      (text) => z.iso.datetime({ offset: true }).safeParse(text).success && inRange(text),
      wantsDate,
    ),
    { format: 'datetime' },
  ),
  z.overwrite((text) => (inRange(text) ? new Date(text).toISOString() : text)),
);

/** An instant in a query. */
export const wireInstant = z.pipe(wireOnce, instant);

function inRange(text: string): boolean {
  const time = Date.parse(text);
  return time >= firstInstant && time <= lastInstant;
}
const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');
