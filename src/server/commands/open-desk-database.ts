import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { bffMigrations } from '../../bff/migrations.ts';
import type { BffTables } from '../../bff/schema.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Config } from '../config/config.ts';
import { placeOf } from '../config/database-config.ts';
import { openDatabase } from '../open-database.ts';
import { postgresProblem } from '../sql/postgres-problem.ts';
import { openPostgres } from '../sql/postgres.ts';

/**
 * The tables of a desk that there is already, for a command beside it.
 *
 * @throws {CannotStart} where there is none
 */
export async function openDeskDatabase(config: Config): Promise<Kysely<BffTables>> {
  const folder = resolve(config.dataDir);
  if (config.databaseUrl === null && !existsSync(join(folder, 'desk.sqlite')))
    throw new CannotStart(`There is no desk in ${folder}. Set DATA_DIR to the folder of yours.`);
  if (config.databaseUrl !== null && !(await hasDesk(config.databaseUrl)))
    throw new CannotStart(
      'There is no desk in the database of DATABASE_URL. Name the one of yours, or start a desk there first.',
    );
  return openDatabase<BffTables>(await placeOf('desk', config), {
    room: 'desk',
    migrations: bffMigrations,
    // A desk without its first account is for the desk itself to begin.
    fill: async () => {},
  });
}

/** Looks without making anything: a command beside a desk must not begin one. */
async function hasDesk(url: string): Promise<boolean> {
  const db = openPostgres(url);
  try {
    const tables = sql`select 1 from information_schema.tables
      where table_schema = current_schema() and table_name = 'desk_migration'`;
    return (await tables.execute(db)).rows.length > 0;
  } catch (error) {
    throw postgresProblem('DATABASE_URL', error);
  } finally {
    await db.destroy();
  }
}
