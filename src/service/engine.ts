import { PostgresAdapter, type Kysely } from 'kysely';

/** Whether a database speaks PostgreSQL's SQL; any other is SQLite. For what the two do not say alike. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Whether a database can count by triggers. CockroachDB, which has none for each statement, is asked for everything
 * anew: it has no tallies.
 */
export function hasTallies<Tables>(db: Kysely<Tables>): boolean {
  const { adapter } = db.getExecutor();
  return !('isPlain' in adapter && adapter.isPlain === true);
}
