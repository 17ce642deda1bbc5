import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Migrator } from 'kysely/migration';
import { authenticateClient } from '../../../src/service/oauth/api-clients.ts';
import {
  addApiClient,
  addClientSecret,
  removeOlderSecret,
} from '../../../src/service/oauth/client-secrets.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openEmpty } from '../../support/setup/database.ts';
import { openStore } from '../../support/service/harness.ts';

test('a client has two secrets at most, and the older one ends first', async () => {
  const deps = { db: await openStore(), random: createDice(1).bytes };
  const client = { id: 'crm', scopes: ['subscribers:read'] } as const;
  const secrets = [await addApiClient(deps, client)];
  for (let round = 0; round < 3; round++) {
    const added = await addClientSecret(deps, 'crm');
    if (typeof added === 'string') throw new Error(added);
    secrets.push(added.secret);
    expect(await addClientSecret(deps, 'crm')).toBe('full');
    expect(await removeOlderSecret(deps.db, 'crm')).toBe('removed');
    const good = await Promise.all(secrets.map((each) => authenticateClient(deps.db, 'crm', each ?? '')));
    expect(good.map((scopes) => scopes !== null)).toEqual([...secrets.slice(1).map(() => false), true]);
  }
  expect(await removeOlderSecret(deps.db, 'crm')).toBe('only-one');
});

test('a client of an earlier version keeps its secret', async () => {
  const db = await openEmpty<ServiceTables>();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => serviceMigrations } });
  await migrator.migrateTo('0001-subscribers');
  // SHA-256 of "secret" as base64url.
  const digest = 'K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols';
  await sql`insert into api_clients values ('crm', ${digest}, 'subscribers:write')`.execute(db);
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  expect(await authenticateClient(db, 'crm', 'secret')).toEqual(['subscribers:write']);
  expect(await authenticateClient(db, 'crm', 'another')).toBeNull();
});
