import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Kysely } from 'kysely';
import { deskMigrations } from '../../bff/store/migrations.ts';
import type { DeskTables } from '../../bff/store/schema.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Config } from '../config.ts';
import { placeOf } from '../database-place.ts';
import { openDatabase } from '../open-database.ts';

/**
 * The tables of a desk that there is already, for a command beside it.
 *
 * @throws {CannotStart} where there is none
 */
export async function openDeskDatabase(config: Config): Promise<Kysely<DeskTables>> {
  const folder = resolve(config.dataDir);
  if (config.databaseUrl === null && !existsSync(join(folder, 'desk.sqlite')))
    throw new CannotStart(`There is no desk in ${folder}. Set DATA_DIR to the folder of yours.`);
  return openDatabase<DeskTables>(await placeOf('desk', config), {
    room: 'desk',
    migrations: deskMigrations,
    // A desk without its first account is for the desk itself to begin.
    fill: async () => {},
  });
}
