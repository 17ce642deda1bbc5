import type { Kysely } from 'kysely';
import { hasTallies } from '../engine.ts';
import { createListIndexes, dropListIndexes } from './list-indexes.ts';
import { createSearchIndex, dropSearchIndex } from './search-index.ts';
import { createTallies, dropTallies } from './tally-tables.ts';
import { createTrigramTallies, dropTrigramTallies } from './trigram-tallies.ts';

/**
 * All by which lists are fast: made from the subscribers that are there, and kept from then on.
 *
 * @param pastUntil as of `createTallies`
 */
export async function createLargeLists<Tables>(db: Kysely<Tables>, pastUntil = 0): Promise<void> {
  await createListIndexes(db);
  await createTallies(db, pastUntil);
  await createSearchIndex(db);
  await createTrigramTallies(db);
}

/**
 * Puts in a great many subscribers, and brings up to date at once what would take longer row by row.
 *
 * @param now ms since 1970
 */
export async function withoutLargeLists<Tables>(
  transaction: Kysely<Tables>,
  now: number,
  insert: () => Promise<void>,
): Promise<void> {
  // A plain engine makes no indexes within a transaction.
  if (!hasTallies(transaction)) return insert();
  await dropListIndexes(transaction);
  await dropTallies(transaction);
  await dropSearchIndex(transaction);
  await dropTrigramTallies(transaction);
  await insert();
  await createLargeLists(transaction, now);
}

/** For a database whose indexes and tallies an earlier version made. */
export async function remakeLists<Tables>(db: Kysely<Tables>): Promise<void> {
  await dropListIndexes(db);
  await dropTallies(db);
  await dropTrigramTallies(db);
  await createListIndexes(db);
  await createTallies(db);
  await createTrigramTallies(db);
}
