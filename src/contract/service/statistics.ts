import '../http/zod-sentences.ts';
import * as z from 'zod/mini';
import { isInstant } from './instant.ts';
import { Status } from './subscriber.ts';

/** How many limits one request may name. */
const most = 60;
const wants = `Enter up to ${most} date-times with a time zone, with commas, each later than the one before.`;

const Limits = z.codec(
  z.union([z.string(), z.array(z.string())]),
  z.array(z.string()).check(z.refine(areLimits, wants)),
  {
    decode: (value) => [value].flat().flatMap((part) => part.split(',')),
    encode: (all) => all.join(','),
  },
);

/** `Limits`: between which instants subscribers are counted. */
export const StatisticsQuery = z.object({ Limits: z.optional(Limits) });

function areLimits(all: readonly string[]): boolean {
  const times = all.map((text) => (isInstant(text) ? Date.parse(text) : Number.NaN));
  return (
    all.length <= most && times.every((time, index) => time > (times[index - 1] ?? Number.NEGATIVE_INFINITY))
  );
}

/**
 * How many subscribers have one status and plan, and expire from one limit, which is included, up to the next; `from` is
 * null before the first limit. Groups of nobody are left out.
 */
const Group = z.object({
  status: z.int(),
  isTrial: z.boolean(),
  from: z.nullable(z.string()),
  count: z.int(),
});
export const Statistics = z.object({ statuses: z.array(Status), groups: z.array(Group) });
export type Statistics = z.infer<typeof Statistics>;
