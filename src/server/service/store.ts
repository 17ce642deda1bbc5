import type { Kysely } from 'kysely';
import { serviceMigrations } from '../../service/migrations.ts';
import type { ServiceTables } from '../../service/schema.ts';
import type { Config } from '../config/config.ts';
import { databaseConfigOf, openDatabase, type DatabaseOptions } from '../open-database.ts';

type Db = Kysely<ServiceTables>;

/**
 * The service's tables, where the configuration has them.
 *
 * @param fill puts in what an empty service lacks
 * @throws {CannotStart} where they cannot be used
 */
export async function openServiceStore(
  config: Config,
  fill: DatabaseOptions<ServiceTables>['fill'] = async () => {},
): Promise<Db> {
  return openDatabase<ServiceTables>(await databaseConfigOf('service', config), {
    name: 'service',
    migrations: serviceMigrations,
    fill,
  });
}

/** Does something with the service's tables, whether the service runs or not, and lets go of them. */
export async function withServiceStore<Result>(
  config: Config,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const db = await openServiceStore(config);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
