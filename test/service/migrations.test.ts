import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import type { ListQuery } from '../../src/contract/service/list-query.ts';
import { serviceMigrations } from '../../src/service/migrations.ts';
import { authenticateClient } from '../../src/service/oauth/api-clients.ts';
import { addSamples } from '../../src/service/samples/samples.ts';
import type { ServiceTables } from '../../src/service/schema.ts';
import { engine, openEmpty } from '../support/setup/database.ts';
import { startService } from '../support/service/harness.ts';
import { checkCounts } from '../support/service/list-as-array.ts';
import { anna } from '../support/service/people.ts';

const names = Object.keys(serviceMigrations);

/** A database at a migration, the latest unless it is named, and a function that brings it to the latest. */
async function openAt(name = names.at(-1) ?? '') {
  const db = await openEmpty<ServiceTables>();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => serviceMigrations } });
  const migrateTo = async (to: string) => expect((await migrator.migrateTo(to)).error).toBeUndefined();
  await migrateTo(name);
  return { db, migrate: () => migrateTo(names.at(-1) ?? '') };
}

/** The same with samples in tables of an earlier version, which lack the columns of the present one. */
async function openEarlier(name: keyof typeof serviceMigrations) {
  const { db: source } = await openAt();
  await addSamples(source, { count: 300, seed: 5, now: Date.parse('2026-06-01T12:00:00Z') });
  const rows = await source.selectFrom('subscribers').selectAll().execute();
  const earlier = await openAt(name);
  await earlier.db
    .insertInto('subscribers')
    .values(rows.map(({ id: _id, username_folded: _username, email_folded: _email, ...row }) => row))
    .execute();
  return earlier;
}

/** Names of everything in a database but what Kysely and the engines make for themselves. */
async function namesIn(db: Kysely<ServiceTables>): Promise<string[]> {
  const all =
    engine === 'postgres'
      ? sql<{ name: string }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace
          union all select tgname from pg_trigger where not tgisinternal
          union all select proname from pg_proc where prolang = (select oid from pg_language where lanname = 'plpgsql')`
      : sql<{ name: string }>`select name from sqlite_master`;
  const found = (await all.execute(db)).rows.map(({ name }) => name);
  return found.filter((name) => !/^(kysely|sqlite)_/.test(name)).toSorted();
}

/**
 * What migrations up to 0005 made in earlier versions, beside what they make today: tables of counts that triggers keep.
 * The triggers' bodies are cut short; each fails once its table is gone, as the real ones did.
 */
const countTables = [
  'create table subscriber_tallies (kind text not null, bucket integer not null, amount integer not null)',
  'create table subscriber_trigrams (trigram text not null, slot integer not null, amount integer not null)',
  'create table subscriber_tally_state (id integer primary key, past_until bigint not null)',
  'create table subscriber_name_buckets (bucket integer primary key, first text not null unique)',
  'create index subscribers_by_id on subscribers (id, expires_at)',
  'create index subscribers_by_expiry on subscribers (expires_at, id)',
  'create index subscribers_by_username on subscribers (username_search, id)',
];
const countTriggers = ['insert', 'update', 'delete'].flatMap((event) =>
  [
    [`subscribers_tally_${event}`, 'update subscriber_tallies set amount = amount + 1;'],
    [`subscribers_trigram_${event}`, 'update subscriber_trigrams set amount = amount + 1;'],
  ].flatMap(([name, body]) =>
    engine === 'sqlite'
      ? [`create trigger ${name} after ${event} on subscribers begin ${body} end`]
      : [
          `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
          `create trigger ${name} after ${event} on subscribers for each statement execute function ${name}()`,
        ],
  ),
);

describe('an earlier version’s database', () => {
  it('loses its tables of counts with their triggers, and is else like a new one', async () => {
    const { db: fresh } = await openAt();
    const { db, migrate } = await openEarlier('0005-tallies-by-name');
    for (const statement of [...countTables, ...countTriggers]) await sql.raw(statement).execute(db);
    await migrate();
    expect(await namesIn(db)).toEqual(await namesIn(fresh));
    const service = await startService({ db });
    const { id } = (await service.client.createSubscriber({ body: anna })).data;
    await service.client.updateSubscriber({ params: { id }, body: { isTrial: true } });
    await service.client.deleteSubscriber({ params: { id: 1 } });
    await checkCounts(service);
  });

  it('has its subscribers counted, and found by parts of their names without regard to accents', async () => {
    const { db, migrate } = await openEarlier('0001-subscribers');
    for (const [id, name] of ['José-María', 'Łukasz', 'Иван', 'plain'].entries()) {
      const email = `${name}@x.example`;
      const texts = { username: name, username_search: name.toLowerCase() };
      await db
        .updateTable('subscribers')
        .set({ ...texts, email, email_search: email.toLowerCase() })
        .where('id', '=', id + 1)
        .execute();
    }
    await migrate();
    const service = await startService({ db });
    await checkCounts(service);
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

  it('leaves its API clients their secrets', async () => {
    const { db, migrate } = await openAt('0001-subscribers');
    // SHA-256 of "secret" as base64url.
    const digest = 'K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols';
    await sql`insert into api_clients values ('crm', ${digest}, 'subscribers:write')`.execute(db);
    await migrate();
    expect(await authenticateClient(db, 'crm', 'secret')).toEqual(['subscribers:write']);
    expect(await authenticateClient(db, 'crm', 'another')).toBeNull();
  });
});
