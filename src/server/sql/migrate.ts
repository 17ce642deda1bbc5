import { sql, type Kysely, type Transaction } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/**
 * Begins the names of the tables that remember migrations. Service and BFF may share a database, so each has its own.
 */
const usualPrefix = 'kysely';

/**
 * Brings a database to the newest of its migrations. Several processes may do so at once.
 *
 * @throws the first migration's error; a failed migration leaves nothing of itself behind
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  prefix: string = usualPrefix,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: `${prefix}_migration`,
    migrationLockTableName: lockTable(prefix),
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Runs work in a transaction that is never under way in two processes at once, on a database that is migrated. */
export async function serialize<Tables, Result>(
  db: Kysely<Tables>,
  work: (alone: Transaction<Tables>) => Promise<Result>,
  prefix: string = usualPrefix,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    // Writing a row takes its lock on every engine. What is read afterwards is what the previous process has left.
    await sql`update ${sql.table(lockTable(prefix))} set is_locked = is_locked`.execute(transaction);
    return work(transaction);
  });
}

const lockTable = (prefix: string) => `${prefix}_migration_lock`;
