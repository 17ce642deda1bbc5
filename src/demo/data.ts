import { sql, type Kysely, type RawBuilder } from 'kysely';
import { bffMigrations } from '../bff/migrations.ts';
import type { BffTables } from '../bff/schema.ts';
import { nameSampleBundles } from '../bff/bundles/bundles.ts';
import { addFirstSamples } from '../server/embedded-service.ts';
import { migrate } from '../server/sql/migrate.ts';
import { rebuildIndexes } from '../service/subscribers/indexes.ts';
import { serviceMigrations } from '../service/migrations.ts';
import type { ServiceTables } from '../service/schema.ts';
import { hire } from './people.ts';
import type { DataSet } from './settings.ts';

/** The databases of a demo: the service's and the BFF's. */
export interface Databases {
  service: Kysely<ServiceTables>;
  bff: Kysely<BffTables>;
}

/** Tables that the BFF's database has besides. */
export type DemoTables = {
  /** One row about the data. */
  demo: {
    /** Tells these data from others. */
    id: string;
    data: DataSet;
    /** Number of days that the clock is ahead. */
    days: number;
  };
};

interface Parts {
  data: DataSet;
  /** Names of statuses, as `Settings` has them. */
  statuses: string;
  days: number;
  /** When the demo begins, in ms since 1970. */
  now: number;
  random: (bytes: number) => Uint8Array;
}

/** Fills empty databases. */
export async function fillData(
  { service, bff }: Databases,
  { data, statuses, days, now, random }: Parts,
): Promise<void> {
  await migrate(service, serviceMigrations);
  await migrate(bff, bffMigrations);
  const { each, times } = counts[data];
  await addFirstSamples(service, { samples: each, now });
  if (times > 1)
    await service.transaction().execute((tx) => rebuildIndexes(tx, () => multiply(tx, times, now)));
  if (data === 'expired-trials') await expireAll(service, now);
  for (const [index, name] of statuses.split(',').entries())
    if (name.trim() !== '')
      await service
        .updateTable('subscriber_statuses')
        .set({ name: name.trim() })
        .where('id', '=', index + 2)
        .execute();
  await nameSampleBundles(bff);
  await hire({ db: bff, clock: () => now, random });
  await sql`create table demo (id text, data text, days integer)`.execute(bff);
  const about = { id: random(16).join('-'), data, days };
  await bff.withTables<DemoTables>().insertInto('demo').values(about).execute();
}

/** Number of subscribers that are generated for a data set, and the factor that it is then multiplied by. */
const counts: Record<DataSet, { each: number; times: number }> = {
  '25': { each: 25, times: 1 },
  '2000': { each: 2000, times: 1 },
  '50000': { each: 2000, times: 25 },
  empty: { each: 0, times: 1 },
  'expired-trials': { each: 2000, times: 1 },
};

/** Adds copies with other names, tokens and expiry times. SQLite makes 50,000 in the time of a few thousand inserts. */
async function multiply(db: Kysely<ServiceTables>, times: number, now: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('subscribers')`.execute(db);
  const columns = rows.map(({ name }) => name).filter((name) => name !== 'id');
  // Up to a day earlier or later.
  const expiry = sql`expires_at + (id * 131 + turn * 7919) % 2881 * 60000 - 86400000`;
  const changed: Readonly<Record<string, RawBuilder<unknown>>> = {
    access_token: sql`substr(access_token, turn) || substr(access_token, 1, turn - 1)`,
    username: sql`username || '-' || turn`,
    username_search: sql`username_search || '-' || turn`,
    username_folded: sql`username_folded || '-' || turn`,
    // Not past now.
    expires_at: sql`case when expires_at <= ${now} then min(${now}, ${expiry}) else max(${now} + 60000, ${expiry}) end`,
  };
  await sql`
    with recursive turns(turn) as (values (2) union all select turn + 1 from turns where turn < ${times})
    insert into subscribers (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map((name) => changed[name] ?? sql.ref(name)))}
    from subscribers, turns order by turn, id`.execute(db);
}

/** Makes every subscription a trial that ended as long ago as it would have lasted. */
async function expireAll(db: Kysely<ServiceTables>, now: number): Promise<void> {
  const ended = sql<number>`${now} - abs(expires_at - ${now})`;
  await db.updateTable('subscribers').set({ is_trial: 1, expires_at: ended }).execute();
}
