import type { Kysely, Logger } from 'kysely';
import { serviceMigrations } from '../../service/migrations.ts';
import type { ServiceDeps } from '../../service/deps.ts';
import type { ServiceTables } from '../../service/schema.ts';
import type { Config } from '../config/config.ts';
import { databaseConfigOf, fileOf, openDatabase, type DatabaseOptions } from '../open-database.ts';
import { beginServing } from '../sql/node-sqlite.ts';
import { openSlowReads } from '../sql/slow-reads.ts';
import { startWriteCheck } from '../sql/write-check.ts';
import type { Traces } from '../traces.ts';

type Db = Kysely<ServiceTables>;
type Fill = DatabaseOptions<ServiceTables>['fill'];

interface ServiceStore {
  db: Db;
  runSlowRead: NonNullable<ServiceDeps['runSlowRead']>;
  canWrite: NonNullable<ServiceDeps['canWrite']>;
  close: () => Promise<void>;
}

/**
 * The service's tables, in the database of the configuration, ready to serve.
 *
 * @param fill puts in what an empty service lacks
 * @throws {CannotStart} if the tables cannot be used
 */
export async function openServiceStore(
  { config, clock, log, traces }: { config: Config; traces: Traces } & Pick<ServiceDeps, 'clock' | 'log'>,
  fill: Fill,
): Promise<ServiceStore> {
  const database = await databaseConfigOf('service', config);
  const statements = traces.statements(config.SERVICE_DATABASE_URL);
  const db = await openTables(config, fill, statements);
  await beginServing(db);
  const slowReads = openSlowReads<ServiceTables>(database, statements);
  const write = () =>
    db
      .updateTable('subscriber_statuses')
      .set((row) => ({ name: row.ref('name') }))
      .execute();
  const { canWrite, stop } = startWriteCheck({
    database: 'service',
    file: fileOf(database),
    write,
    clock,
    log,
  });
  const close = async () => {
    stop();
    await Promise.all([db.destroy(), slowReads.close()]);
  };
  return { db, runSlowRead: slowReads.run, canWrite, close };
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

async function openTables(config: Config, fill: Fill, log?: Logger): Promise<Db> {
  return openDatabase<ServiceTables>(await databaseConfigOf('service', config), {
    name: 'service',
    migrations: serviceMigrations,
    fill,
    log,
  });
}
