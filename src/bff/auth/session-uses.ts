import type { Kysely } from 'kysely';
import type { BffTables } from '../schema.ts';

/** How often the uses of sessions are written at most, in ms. */
const writeEvery = 1000;

export interface SessionUses {
  /** Notes that a session is in use. */
  note(key: string, now: number): void;
  /** Writes what is noted, unless it was done a moment ago. */
  write(now: number): Promise<void>;
}

/**
 * When sessions were last used, many written at once: a SQLite file that is written to durably holds up everybody for
 * some milliseconds, and with ten thousand signed in there would be hundreds of writes a second.
 */
export function createSessionUses(db: Kysely<BffTables>): SessionUses {
  const noted = new Set<string>();
  let writtenAt = -Infinity;
  let latest = 0;
  return {
    note(key, now) {
      noted.add(key);
      latest = now;
    },
    async write(now) {
      if (noted.size === 0 || now - writtenAt < writeEvery) return;
      writtenAt = now;
      const keys = [...noted];
      noted.clear();
      const update = db.updateTable('sessions').set({ seen_at: latest }).where('key', 'in', keys);
      // No reason to refuse anybody: whoever asks next is noted again.
      await update.execute().catch(() => undefined);
    },
  };
}
