import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { isInstant } from './times.ts';
import { Status } from './subscriber.ts';

/** Most limits in one request. */
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
 * Number of subscribers who have one status and plan, and expire from one limit, which is included, up to the next;
 * `from` is null before the first limit. Empty groups are left out.
 */
const Group = z.object({
  status: z.int(),
  isTrial: z.boolean(),
  from: z.nullable(z.string()),
  count: z.int(),
});

/**
 * Number of subscribers with each value of a list: the ten that most have, largest first, and of the other values their
 * number and how many times somebody has one.
 */
const valueCounts = <Value extends z.ZodMiniType>(value: Value) =>
  z.object({
    most: z.array(z.object({ value, count: z.int() })),
    others: z.object({ values: z.int(), count: z.int() }),
  });
/** By bundle and by country; null while the service prepares them, and left out by one that does not count them. */
export const ValueStatistics = z.object({
  bundles: valueCounts(z.int()),
  countries: valueCounts(z.string()),
});
export type ValueStatistics = z.infer<typeof ValueStatistics>;
/** Values of a list that are counted one by one. */
export const mostValues = 10;

export const Statistics = z.object({
  statuses: z.array(Status),
  groups: z.array(Group),
  values: z.optional(z.nullable(ValueStatistics)),
});
export type Statistics = z.infer<typeof Statistics>;
