import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { CannotStart } from './cannot-start.ts';
import { inTurn, migrate } from './sql/migrate.ts';
import { openNodeSqlite } from './sql/node-sqlite.ts';
import { isPlainPostgres } from './sql/plain-postgres.ts';
import { postgresProblem } from './sql/postgres-problem.ts';
import { openPostgres } from './sql/postgres.ts';

/** Where a room's tables are: a SQLite file, or the PostgreSQL database that an environment variable names. */
export type DatabasePlace = { file: string } | { variable: string; url: string };

export interface DatabaseOptions<Tables> {
  /** Tells the desk's tables from the service's where both are in one database. */
  room: 'desk' | 'service';
  migrations: Readonly<Record<string, Migration>>;
  /** Puts in what an empty database lacks. Of several processes that start, one after the other does so. */
  fill: (alone: Transaction<Tables>) => Promise<void>;
}

/**
 * A database with a room's tables, brought up to date and filled.
 *
 * @throws {CannotStart} where there is none, it cannot be used, or it belongs to a newer version
 */
export async function openDatabase<Tables>(
  place: DatabasePlace,
  options: DatabaseOptions<Tables>,
): Promise<Kysely<Tables>> {
  return 'file' in place ? openFile(place.file, options) : openOnServer(place, options);
}

async function openFile<Tables>(file: string, { migrations, fill }: DatabaseOptions<Tables>) {
  const db = await openMigrated<Tables>(file, migrations);
  await inTurn(db, fill);
  return db;
}

async function openMigrated<Tables>(file: string, migrations: DatabaseOptions<Tables>['migrations']) {
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

async function openOnServer<Tables>(
  { url, variable }: { url: string; variable: string },
  { room, migrations, fill }: DatabaseOptions<Tables>,
) {
  const plain = await examineServer(url, variable);
  const starting = openPostgres<Tables>(url, { patient: true, plain });
  try {
    await migrate(starting, migrations, room);
  } catch (error) {
    await starting.destroy();
    throw postgresProblem(variable, error);
  }
  try {
    await inTurn(starting, fill, room);
  } finally {
    await starting.destroy();
  }
  return openPostgres<Tables>(url, { plain });
}

/** @returns whether the server's engine is a plain one */
async function examineServer(url: string, variable: string): Promise<boolean> {
  const asking = openPostgres(url, { patient: true });
  try {
    await requireUnicode(asking, variable);
    return await isPlainPostgres(asking);
  } catch (error) {
    throw error instanceof CannotStart ? error : postgresProblem(variable, error);
  } finally {
    await asking.destroy();
  }
}

/** Any other encoding would refuse names that it has no letters for. */
async function requireUnicode<Tables>(db: Kysely<Tables>, variable: string): Promise<void> {
  const query = sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`;
  const encoding = (await query.execute(db)).rows[0]?.encoding;
  if (encoding !== 'UTF8')
    throw new CannotStart(
      `The database of ${variable} keeps text as ${encoding}. Create one with the encoding UTF8.`,
    );
}
