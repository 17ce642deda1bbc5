import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { wireOnce } from '../http/shapes.ts';
import { withJsonRule } from '../http/text.ts';
import { inUtc, isInstant, isTime } from './times.ts';

const toUtc = z.overwrite(inUtc);
const wantsDate = 'Enter a date and time with a time zone, such as 2026-12-31T22:00:00Z';

/** A date-time, turned into UTC: `2026-12-31T22:00:00.000Z`. */
export const Instant = z
  .string(`${wantsDate}.`)
  .check(withJsonRule(z.refine<string>(isInstant, `${wantsDate}.`), { format: 'datetime' }), toUtc);

/** An instant in a query. */
export const wireInstant = z.pipe(wireOnce, Instant);

/**
 * An instant in a query, or a time relative to now: `now`, `7d` (in seven days of 24 hours) or `-30d`. A saved filter with a
 * relative time moves on.
 */
export const wireRelativeTime = wireOnce.check(
  z.refine(isTime, `${wantsDate}; or now, or days from now, such as 7d or -30d.`),
  toUtc,
);
