import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openEmpty } from '../../support/setup/database.ts';
import { compareCounts } from '../../support/service/compare-counts.ts';
import { startService } from '../../support/service/harness.ts';

type Db = Kysely<ServiceTables>;

test('counts are right after eight have created, changed and deleted at once', async () => {
  const service = await startService();
  const { client, db } = service;
  const write = async (writer: number) => {
    const dice = createDice(writer);
    const own: number[] = [];
    const body = () => ({
      expiresAt: new Date(service.time.now + dice.whole(-3, 3) * 86_400_000).toISOString(),
      isTrial: dice.chance(0.5),
    });
    for (let round = 0; round < 40; round += 1) {
      const id = own[dice.whole(0, 9)];
      if (id === undefined) {
        const name = { username: `w${writer}-${round}`, email: 'w@example.com' };
        own.push((await client.createSubscriber({ body: { ...name, ...body() } })).data.id);
      } else if (dice.chance(0.2)) {
        await client.deleteSubscriber({ params: { id } });
        own.splice(own.indexOf(id), 1);
      } else await client.updateSubscriber({ params: { id }, body: body() });
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(write));
  await compareCounts(service);
  // Past the service too, as a deployment's own scripts would.
  await db.updateTable('subscribers').set({ status_id: 2 }).where('is_trial', '=', 1).execute();
  await db.deleteFrom('subscribers').where('is_trial', '=', 0).where('id', '<', 50).execute();
  await compareCounts(service);
});

test('what was rolled back was never counted nor found', async () => {
  const service = await startService();
  await addSamples(service.db, { count: 50, seed: 3, now: service.time.now });
  const undone = service.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('subscribers').where('id', '<', 30).execute();
    await transaction.updateTable('subscribers').set({ status_id: 3, email_search: 'gone' }).execute();
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await compareCounts(service);
  const { data } = await service.client.listSubscribers({ query: { Email: 'example' } });
  expect(data.totalCount).toBe(50);
});

test('subscribers of an earlier version are counted and found by parts of their names', async () => {
  const db: Db = await openEmpty<ServiceTables>();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => serviceMigrations } });
  await migrator.migrateTo('0002-client-secrets');
  await addSamples(db, { count: 300, seed: 5, now: Date.parse('2026-06-01T12:00:00Z') });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  const service = await startService({ db });
  await compareCounts(service);
  const { username } = await db.selectFrom('subscribers').select('username').executeTakeFirstOrThrow();
  const { items } = (await service.client.listSubscribers({ query: { Username: username } })).data;
  expect(items.map((item) => item.username)).toContain(username);
});
