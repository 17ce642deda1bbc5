import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { serviceMigrations } from '../../src/service/migrations.ts';
import { addSamples } from '../../src/service/samples/samples.ts';
import type { ServiceTables } from '../../src/service/schema.ts';
import { engine, openEmpty } from '../support/setup/database.ts';
import { checkCounts } from '../support/service/check-counts.ts';
import { countTables } from '../support/service/count-tables.ts';
import { startService } from '../support/service/harness.ts';
import { anna } from '../support/service/people.ts';

/** A database at an earlier migration, with subscribers. */
async function openEarlier(name: keyof typeof serviceMigrations) {
  const db = await openEmpty<ServiceTables>();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => serviceMigrations } });
  expect((await migrator.migrateTo(name)).error).toBeUndefined();
  await addSamples(db, { count: 300, seed: 5, now: Date.parse('2026-06-01T12:00:00Z') });
  return { db, migrate: async () => expect((await migrator.migrateToLatest()).error).toBeUndefined() };
}

/** Names of everything in a database but what Kysely and the engines make for themselves. */
async function namesIn(db: Kysely<ServiceTables>): Promise<string[]> {
  const all =
    engine === 'postgres'
      ? sql<{ name: string }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace
          union all select tgname from pg_trigger where not tgisinternal
          union all select proname from pg_proc where prolang = (select oid from pg_language where lanname = 'plpgsql')`
      : sql<{ name: string }>`select name from sqlite_master`;
  const names = (await all.execute(db)).rows.map(({ name }) => name);
  return names.filter((name) => !/^(kysely|sqlite)_/.test(name)).toSorted();
}

test('subscribers of the first version are counted, and found by parts of their names', async () => {
  const { db, migrate } = await openEarlier('0002-client-secrets');
  await migrate();
  const service = await startService({ db });
  await checkCounts(service);
  const { username } = await db.selectFrom('subscribers').select('username').executeTakeFirstOrThrow();
  const { items } = (await service.client.listSubscribers({ query: { Username: username } })).data;
  expect(items.map((item) => item.username)).toContain(username);
});

test('the tables of counts of earlier versions are gone, with their triggers, and all else is as in a new database', async () => {
  const fresh = await openEmpty<ServiceTables>();
  const migrator = new Migrator({ db: fresh, provider: { getMigrations: async () => serviceMigrations } });
  await migrator.migrateToLatest();
  const { db, migrate } = await openEarlier('0005-tallies-by-name');
  for (const statement of countTables[engine]) await sql.raw(statement).execute(db);
  await migrate();
  expect(await namesIn(db)).toEqual(await namesIn(fresh));
  const service = await startService({ db });
  const { id } = (await service.client.createSubscriber({ body: anna })).data;
  await service.client.updateSubscriber({ params: { id }, body: { isTrial: true } });
  await service.client.deleteSubscriber({ params: { id: 1 } });
  await checkCounts(service);
});
