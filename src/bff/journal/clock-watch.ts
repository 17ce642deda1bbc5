import type { BffDeps } from '../deps.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/**
 * Watches the clock, for work that cannot be taken back: to a clock that is years ahead for a minute, every entry looks
 * old enough to be deleted.
 */
interface ClockWatch {
  /** To be called about every minute. */
  look(): void;
  /**
   * A moment that has passed for sure, in ms since 1970: now, after a day without a jump. Before, at most a day after
   * the newest entry that is a day old, because younger ones may have been written by a clock that is ahead.
   */
  passed(): Promise<number>;
}

export function createClockWatch({ db, clock, log }: Pick<BffDeps, 'db' | 'clock' | 'log'>): ClockWatch {
  let seen: number | null = null;
  let evenSince = Number.POSITIVE_INFINITY;
  const look = () => {
    const now = clock();
    const jump = seen === null ? 0 : now - seen;
    if (Math.abs(jump) > hour) log('warn', 'clock-jumped', { ms: jump });
    if (seen === null || Math.abs(jump) > hour) evenSince = now;
    seen = now;
    return now;
  };
  return {
    look: () => void look(),
    async passed() {
      const now = look();
      if (now - evenSince >= day) return now;
      const query = db.selectFrom('journal').select((row) => row.fn.max<number | null>('at').as('at'));
      const { at } = await query.where('at', '<=', now - day).executeTakeFirstOrThrow();
      return at === null ? 0 : Math.min(now, at + day);
    },
  };
}

/**
 * When each open entry that is from the future was seen first. Its `at` says nothing about its age: the clock that
 * wrote it was ahead.
 */
export function createAgeOf(clock: () => number): (entry: { id: string; at: number }) => number {
  const seen = new Map<string, number>();
  return ({ id, at }) => {
    const now = clock();
    if (at <= now) return now - at;
    if (seen.size === mostSeen) seen.clear();
    const first = Math.min(seen.get(id) ?? now, now);
    seen.set(id, first);
    return now - first;
  };
}

const mostSeen = 1000;
