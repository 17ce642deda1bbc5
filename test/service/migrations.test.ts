import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import type { ListQuery } from '../../src/contract/service/list-query.ts';
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
  await copySamples(db);
  return { db, migrate: async () => expect((await migrator.migrateToLatest()).error).toBeUndefined() };
}

/** Puts samples into tables of an earlier version, which lack the columns of the present one. */
async function copySamples(db: Kysely<ServiceTables>): Promise<void> {
  const source = await openLatest();
  await addSamples(source, { count: 300, seed: 5, now: Date.parse('2026-06-01T12:00:00Z') });
  const rows = await source.selectFrom('subscribers').selectAll().execute();
  const earlier = rows.map(({ id: _id, username_folded: _username, email_folded: _email, ...row }) => row);
  await db.insertInto('subscribers').values(earlier).execute();
}

async function openLatest() {
  const db = await openEmpty<ServiceTables>();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => serviceMigrations } });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  return db;
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
  const fresh = await openLatest();
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

test('subscribers of earlier versions are found without regard to accents', async () => {
  const { db, migrate } = await openEarlier('0006-covering-indexes');
  const rename = (id: number, name: string) => {
    const names = { username: name, username_search: name.toLowerCase(), email: `${name}@x.example` };
    return db
      .updateTable('subscribers')
      .set({ ...names, email_search: names.email.toLowerCase() })
      .where('id', '=', id)
      .execute();
  };
  for (const [id, name] of ['José-María', 'Łukasz', 'Иван', 'plain'].entries()) await rename(id + 1, name);
  await migrate();
  const service = await startService({ db });
  const find = async (query: ListQuery) =>
    (await service.client.listSubscribers({ query })).data.items.map(({ username }) => username);
  expect(await find({ Username: 'maria jose' })).toEqual(['José-María']);
  expect(await find({ Email: 'lukasz@x' })).toEqual(['Łukasz']);
  expect(await find({ Username: 'иВАН' })).toEqual(['Иван']);
  expect(await find({ Username: 'plain' })).toEqual(['plain']);
  await service.client.updateSubscriber({ params: { id: 1 }, body: { username: 'renamed' } });
  expect(await find({ Username: 'jose' })).toEqual([]);
  expect(await find({ Username: 'rename' })).toEqual(['renamed']);
});
