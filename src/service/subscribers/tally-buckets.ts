import { sql, type RawBuilder } from 'kysely';

/**
 * How subscribers are counted ahead: by blocks of ids, by every two days of expiry, and by stretches of usernames, apart
 * by status, by trial and by whether they were past. The sums say how many pass a filter, and where the 20,000th page
 * begins, without a look at those before it. Triggers keep them, so they are right whatever writes, and are committed or
 * rolled back with what they count.
 */
export type TallyKind = 'id' | 'expiry' | 'name';

/** How many ids, ms, and usernames of a stretch that was cut anew, are one bucket. */
export const bucketSizes = { id: 8192, expiry: 2 * 86_400_000, name: 8192 } as const;

/** Times are counted from year 0 on, because engines round a division of what is below 0 upwards. */
const year0 = 719_528 * 86_400_000;

/** The first id, or the first ms since 1970, of a bucket. */
export function firstOf(kind: 'id' | 'expiry', bucket: number): number {
  return bucket * bucketSizes[kind] - (kind === 'expiry' ? year0 : 0);
}

/** The bucket of a row, in SQL; `row` is what its columns begin with, such as `new.`. Usernames have theirs in a table. */
export const bucketIn = {
  id: (row = '') => sql.raw<number>(`${row}id / ${bucketSizes.id}`),
  expiry: (row = '') => sql.raw<number>(`(${row}expires_at + ${year0}) / ${bucketSizes.expiry}`),
  name: (row = '') =>
    sql.raw<number>(`(select bucket from subscriber_name_buckets where first <= ${row}username_search
      order by first desc limit 1)`),
} satisfies Record<TallyKind, (row?: string) => RawBuilder<number>>;
