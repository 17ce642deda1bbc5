import type { Kysely } from 'kysely';
import { createListIndexes, dropListIndexes } from './list-indexes.ts';
import { createSearchIndex, dropSearchIndex } from './search-index.ts';
import { createTallies, dropTallies } from './tally-tables.ts';

/** All by which lists are fast: made from the subscribers that are there, and kept from then on. */
export async function createLargeLists<Tables>(db: Kysely<Tables>): Promise<void> {
  await createListIndexes(db);
  await createTallies(db);
  await createSearchIndex(db);
}

/** Puts in a great many subscribers, and brings up to date at once what would take longer row by row. */
export async function withoutLargeLists<Tables>(
  transaction: Kysely<Tables>,
  insert: () => Promise<void>,
): Promise<void> {
  await dropListIndexes(transaction);
  await dropTallies(transaction);
  await dropSearchIndex(transaction);
  await insert();
  await createLargeLists(transaction);
}
