import { PostgresAdapter, sql, type Kysely } from 'kysely';

/**
 * An engine that speaks PostgreSQL's SQL without all that belongs to it, such as CockroachDB: triggers for each
 * statement, locks by number, columns with an order of their own, and tables that are made within a transaction.
 */
export class PlainPostgresAdapter extends PostgresAdapter {
  /** What the stores ask for. */
  readonly isPlain = true;

  override get supportsTransactionalDdl(): boolean {
    return false;
  }

  /** There is none to take: the first process has to start alone, see the README. */
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** Whether the engine behind a connection is such a one. */
export async function isPlainPostgres<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db);
  return namesPlainPostgres(rows[0]?.version ?? '');
}

/** By what the engine says of itself. */
export const namesPlainPostgres = (version: string): boolean => /^CockroachDB\b/.test(version);
