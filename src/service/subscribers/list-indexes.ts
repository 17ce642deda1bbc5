import type { Kysely } from 'kysely';
import { isPostgres } from '../engine.ts';

/**
 * One index for each order in which a list is walked. It holds every column that a filter asks for, so that a walk
 * past many rows reads nothing else; only those on the page are then read whole.
 */
export async function createListIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const [name, columns] of Object.entries(indexes(db)))
    await db.schema.createIndex(`subscribers_${name}`).on('subscribers').columns(columns).execute();
}

const indexes = <Tables>(db: Kysely<Tables>) => ({
  // SQLite finds texts in the order of ids, PostgreSQL has to look for them on the way.
  by_id: ['id', 'expires_at', 'status_id', 'is_trial', ...(isPostgres(db) ? ['username_search'] : [])],
  by_expiry: ['expires_at', 'id', 'status_id', 'is_trial'],
  by_username: ['username_search', 'id', 'expires_at', 'status_id', 'is_trial'],
});

/** Of an earlier version, which was not yet told where in an order who passes a filter begins. */
const former = ['by_status', 'by_trial'];

export async function dropListIndexes<Tables>(db: Kysely<Tables>): Promise<void> {
  for (const name of [...Object.keys(indexes(db)), ...former])
    await db.schema.dropIndex(`subscribers_${name}`).ifExists().execute();
}
