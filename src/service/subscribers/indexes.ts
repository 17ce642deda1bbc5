import type { Kysely } from 'kysely';
import {
  createHiddenTextIndexes,
  createSearchIndex,
  dropHiddenTextIndexes,
  dropSearchIndex,
} from './text-search.ts';
import { dropTriggers, refillValues } from './values.ts';

/**
 * One index for each order of the list, and one for counting. Each is covering: it has every column that a filter uses,
 * so counting and skipping rows reads no row of the table. Only the rows of the page are read completely.
 */
const listIndexes: Readonly<Record<string, string[]>> = {
  subscribers_by_id: ['id', 'status_id', 'is_trial', 'expires_at'],
  subscribers_by_username: [
    'username_search',
    'username_folded',
    'id',
    'status_id',
    'is_trial',
    'expires_at',
  ],
  subscribers_by_expiry: ['expires_at', 'id', 'status_id', 'is_trial'],
  // Subscribers with the same expiry are sorted by ascending id in both orders, so one index cannot serve both.
  subscribers_by_expiry_desc: ['expires_at desc', 'id', 'status_id', 'is_trial'],
  subscribers_by_filter: ['is_trial', 'status_id', 'expires_at'],
};

const uniqueIndexes = {
  subscribers_username_search: 'username_search',
  subscribers_access_token: 'access_token',
} as const;

export async function createListIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const [name, columns] of Object.entries(listIndexes))
    await db.schema.createIndex(name).on('subscribers').columns(columns).execute();
}

export async function createUniqueIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const [name, column] of Object.entries(uniqueIndexes))
    await db.schema.createIndex(name).on('subscribers').column(column).unique().execute();
}

/** Inserts very many subscribers. Building the indexes once is faster than updating them with every row. */
export async function rebuildIndexes<Tables>(
  transaction: Kysely<Tables>,
  insert: () => Promise<void>,
): Promise<void> {
  for (const name of [...Object.keys(listIndexes), ...Object.keys(uniqueIndexes)])
    await transaction.schema.dropIndex(name).execute();
  await dropSearchIndex(transaction);
  await dropHiddenTextIndexes(transaction);
  await dropTriggers(transaction);
  await insert();
  await createUniqueIndexes(transaction);
  await createListIndexes(transaction);
  await createSearchIndex(transaction);
  await createHiddenTextIndexes(transaction);
  await refillValues(transaction);
}
