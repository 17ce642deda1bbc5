import { sql, type Kysely } from 'kysely';
import { isPostgres } from './engine.ts';

/**
 * Reads several times from one state of the database, whatever is written meanwhile. Keeps nobody from writing.
 * Given a transaction, it becomes a part of it.
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
    try {
      return await read(one);
    } finally {
      // It wrote nothing, so this is as good as a commit, and is taken after an error too.
      await sql`rollback`.execute(one);
    }
  });
}
