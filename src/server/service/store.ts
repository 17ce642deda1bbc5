import type { Kysely } from 'kysely';
import { serviceMigrations } from '../../service/migrations.ts';
import type { ServiceTables } from '../../service/schema.ts';
import type { Config } from '../config/config.ts';
import { databaseConfigOf, openDatabase, openForServing, type DatabaseOptions } from '../open-database.ts';

const tables = { name: 'service', migrations: serviceMigrations } as const;

/**
 * The service's tables, in the database of the configuration, ready to serve.
 *
 * @param fill puts in what an empty service lacks
 * @throws {CannotStart} if the tables cannot be used
 */
export const openServiceStore = (
  parts: Parameters<typeof openForServing>[0],
  fill: DatabaseOptions<ServiceTables>['fill'],
) =>
  openForServing<ServiceTables>(parts, {
    ...tables,
    fill,
    write: (db) =>
      db
        .updateTable('subscriber_statuses')
        .set((row) => ({ name: row.ref('name') }))
        .execute(),
  });

/** Does something with the service's tables, whether the service runs or not. */
export async function withServiceStore<Result>(
  config: Config,
  work: (db: Kysely<ServiceTables>) => Promise<Result>,
): Promise<Result> {
  const database = await databaseConfigOf('service', config);
  const db = await openDatabase<ServiceTables>(database, { ...tables, fill: async () => {} });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
