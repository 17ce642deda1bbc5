import { PostgresAdapter, type Kysely } from 'kysely';

/** Whether a database speaks PostgreSQL's SQL; any other is SQLite. For what the two do not say alike. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
