import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { random } from '../runtime.ts';
import { databaseBusy } from './refusals.ts';

/** Most runs of a transaction before its caller is told to come again. */
export const mostRuns = 5;

/**
 * Repeats, a few times, a transaction that another one made fail. Throws anything else at once: after a connection
 * that breaks during a commit, it is unknown whether the transaction was done, and repeating it could do it twice.
 *
 * @throws {Problem} `busy` if it failed each time
 */
export async function repeatConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (runs === mostRuns) throw databaseBusy(error);
    }
    await pause(delayAfter(runs));
  }
}

/** Makes every transaction of a database repeat whole on a conflict: its work may be run more than once. */
export function repeatTransactions<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    return Object.assign(builder, {
      execute: (work: Parameters<typeof execute>[0]) => repeatConflicts(() => execute(work)),
    });
  };
  return db;
}

/** The SQLSTATEs serialization_failure and deadlock_detected (PostgreSQL, appendix A): both rolled everything back. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');
}

/** In ms; by chance, so that the two that met do not meet again. */
function delayAfter(runs: number): number {
  const [byte = 0] = random(1);
  return 5 * 2 ** runs * (0.5 + byte / 510);
}
