import { PostgresAdapter, sql, type Kysely } from 'kysely';

/** True for PostgreSQL; any other database is SQLite. For the few statements that differ between the two. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Runs several reads on one state of the database. It blocks no writer. Given a transaction, the reads become part of it.
 */
export async function inSnapshot<Tables, Result>(
  db: Kysely<Tables>,
  read: (snapshot: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return read(db);
  return db.connection().execute(async (one) => {
    // Not by Kysely's own transactions: those of SQLite take the lock for writing.
    await (
      isPostgres(one) ? sql`begin isolation level repeatable read read only` : sql`begin deferred`
    ).execute(one);
    // There is nothing to commit.
    const end = () => sql`rollback`.execute(one);
    let result: Result;
    try {
      result = await read(one);
    } catch (error) {
      // Where the connection broke the rollback fails as well, and says less about why.
      await end().catch(() => {});
      throw error;
    }
    await end();
    return result;
  });
}
