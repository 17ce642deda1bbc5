import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { CannotStart } from './cannot-start.ts';
import { migrate } from './sql/migrate.ts';
import { openNodeSqlite } from './sql/node-sqlite.ts';

/**
 * A SQLite file with a room's tables brought up to date.
 *
 * @throws {CannotStart} where the file is no database, or one of a newer version
 */
export async function openDatabase<Tables>(
  file: string,
  migrations: Readonly<Record<string, Migration>>,
): Promise<Kysely<Tables>> {
  try {
    const db = openNodeSqlite<Tables>(file);
    await migrate(db, migrations);
    return db;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new CannotStart(
      `${file} cannot be opened (${reason}). Put back a copy of it, or move it away to start empty.`,
      error,
    );
  }
}
