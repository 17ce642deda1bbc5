import type { Kysely } from 'kysely';
import { serviceMigrations } from '../../service/migrations.ts';
import type { SlowReads } from '../../service/deps.ts';
import type { ServiceTables } from '../../service/schema.ts';
import type { Config } from '../config/config.ts';
import { databaseConfigOf, openDatabase, type DatabaseOptions } from '../open-database.ts';
import { beginServing } from '../sql/node-sqlite.ts';
import { openPostgres } from '../sql/postgres.ts';
import { openSqliteReader } from '../sql/sqlite-reader.ts';

type Db = Kysely<ServiceTables>;
type Fill = DatabaseOptions<ServiceTables>['fill'];

interface ServiceStore {
  db: Db;
  slowReads: SlowReads;
  close: () => Promise<void>;
}

/**
 * The service's tables, in the database of the configuration, ready to serve.
 *
 * @param fill puts in what an empty service lacks
 * @throws {CannotStart} where they cannot be used
 */
export async function openServiceStore(config: Config, fill: Fill): Promise<ServiceStore> {
  const database = await databaseConfigOf('service', config);
  const db = await openTables(config, fill);
  await beginServing(db);
  // Few connections of PostgreSQL, so that slow reads neither take all connections nor all processors of the server.
  const atOnce = 'file' in database ? 1 : 2;
  const reader: Db =
    'file' in database
      ? openSqliteReader(database.file)
      : openPostgres(database.url, { connections: atOnce });
  const close = async () => void (await Promise.all([db.destroy(), reader.destroy()]));
  return { db, slowReads: { db: reader, atOnce }, close };
}

/** Does something with the service's tables, whether the service runs or not. */
export async function withServiceStore<Result>(
  config: Config,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const db = await openTables(config, async () => {});
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function openTables(config: Config, fill: Fill): Promise<Db> {
  return openDatabase<ServiceTables>(await databaseConfigOf('service', config), {
    name: 'service',
    migrations: serviceMigrations,
    fill,
  });
}
