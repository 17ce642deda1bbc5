import { sql, type Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { sortOrders, type ListQuery } from '../../../src/contract/service/list-query.ts';
import { scopes } from '../../../src/contract/service/token.ts';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { isPlainPostgres, namesPlainPostgres } from '../../../src/server/sql/plain-postgres.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createService } from '../../../src/service/service.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { listSubscribers } from '../../../src/service/subscribers/subscriber-list.ts';
import { describeConformance } from '../../service/conformance/suite.ts';
import { credentials, issuer } from '../../support/service/harness.ts';
import { listOf } from '../../support/service/list-as-array.ts';
import { createDatabase } from '../../support/setup/database.ts';

/** As at CockroachDB: PostgreSQL that is asked for nothing which that lacks. */
async function openPlain(): Promise<Kysely<ServiceTables>> {
  const db = openPostgres<ServiceTables>(await createDatabase('by code points'), { plain: true });
  await migrate(db, serviceMigrations, 'service');
  await migrate(db, bffMigrations, 'desk');
  return db;
}

const opened = openPlain();
const clock = () => Date.parse('2026-06-01T12:00:00Z');

describeConformance(async () => {
  const db = await opened;
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes });
  await addSamples(db, { count: 300, seed: 1, now: clock() });
  const { fetch } = createService({ db, clock, random: createDice(2).bytes, issuer, log: () => {} });
  return { base: issuer, credentials, prefix: 'of-the-suite-', fetch };
});

describe('a plain engine', () => {
  test('is asked for no triggers, functions, and orders of columns', async () => {
    const db = await opened;
    const query = sql<{ what: string }>`select tgname as what from pg_trigger where not tgisinternal
      union all select proname from pg_proc where prolang = (select oid from pg_language where lanname = 'plpgsql')
      union all select attname from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and attcollation = 'pg_catalog."C"'::regcollation`;
    expect((await query.execute(db)).rows).toEqual([]);
  });

  test('gives every page that a plain array would', async () => {
    const list = async (query: ListQuery) => listSubscribers(await opened, query, clock());
    const all = [...(await list({ PageSize: 200 })).items, ...(await list({ PageSize: 200, Page: 2 })).items];
    expect(all).toHaveLength(300);
    for (const SortBy of [undefined, ...sortOrders])
      for (const filter of [{}, { Expired: true, StatusId: 1 }, { IsTrial: false }, { Username: 'sen' }])
        for (const Page of [1, 2, 4]) {
          const query = { ...filter, SortBy, Page, PageSize: 20 };
          expect(await list(query)).toEqual(listOf(all, query, clock()));
        }
  });

  test('is known by what it says of itself', async () => {
    expect(namesPlainPostgres('CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/04)')).toBe(true);
    expect(await isPlainPostgres(await opened)).toBe(false);
  });
});
