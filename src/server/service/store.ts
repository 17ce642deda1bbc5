import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { errorFields } from '../../lib/log.ts';
import { serviceMigrations } from '../../service/migrations.ts';
import type { ServiceTables } from '../../service/schema.ts';
import { fillValues } from '../../service/subscribers/values.ts';
import type { Config } from '../config/config.ts';
import { databaseConfigOf, openDatabase, openForServing, type DatabaseOptions } from '../open-database.ts';

const tables = { name: 'service', migrations: serviceMigrations } as const;

/**
 * The service's tables, in the database of the configuration, ready to serve. What a migration has left to do goes on
 * meanwhile.
 *
 * @param fill puts in what an empty service lacks
 * @throws {CannotStart} if the tables cannot be used
 */
export async function openServiceStore(
  parts: Parameters<typeof openForServing>[0],
  fill: DatabaseOptions<ServiceTables>['fill'],
) {
  const store = await openForServing<ServiceTables>(parts, {
    ...tables,
    fill,
    write: (db) =>
      db
        .updateTable('subscriber_statuses')
        .set((row) => ({ name: row.ref('name') }))
        .execute(),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const fillAgain = async () => {
    for (let wait = interval; !signal.aborted; await setTimeout(wait, undefined, { signal, ref: false })) {
      try {
        await fillValues(store.db, () => setTimeout(pause, undefined, { signal }));
        wait = interval;
      } catch (error) {
        if (!signal.aborted && wait === interval) parts.log('error', 'values-not-filled', errorFields(error));
        wait = intervalAfterFault;
      }
    }
  };
  const filled = fillAgain().catch(() => {});
  return {
    ...store,
    close: async () => {
      stopping.abort();
      await filled;
      await store.close();
    },
  };
}

/** In ms, so that others read and write between two portions. */
const pause = 10;

/** Interval of looking for what a server of the version before has written, in ms. */
const interval = 2_000;
const intervalAfterFault = 60_000;

/** Does something with the service's tables, whether the service runs or not. */
export async function withServiceStore<Result>(
  config: Config,
  work: (db: Kysely<ServiceTables>) => Promise<Result>,
): Promise<Result> {
  const database = await databaseConfigOf('service', config);
  await using db = await openDatabase<ServiceTables>(database, { ...tables, fill: async () => {} });
  return await work(db);
}
