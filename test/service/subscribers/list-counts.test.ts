import { describe, expect, it } from 'vitest';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { startService } from '../../support/service/harness.ts';
import { checkCounts } from '../../support/service/list-as-array.ts';

describe('the count of the list', () => {
  it('stays right while eight clients create, change and delete at once, and after changes by SQL', async () => {
    const service = await startService();
    const { client, db } = service;
    const write = async (writer: number) => {
      const seeded = createSeededRandom(writer);
      const own: number[] = [];
      const body = () => ({
        expiresAt: new Date(service.time.now + seeded.whole(-3, 3) * 86_400_000).toISOString(),
        isTrial: seeded.chance(0.5),
      });
      for (let round = 0; round < 20; round += 1) {
        const id = own[seeded.whole(0, 9)];
        if (id === undefined) {
          const name = { username: `w${writer}-${round}`, email: 'w@example.com' };
          own.push((await client.createSubscriber({ body: { ...name, ...body() } })).data.id);
        } else if (seeded.chance(0.2)) {
          await client.deleteSubscriber({ params: { id } });
          own.splice(own.indexOf(id), 1);
        } else await client.updateSubscriber({ params: { id }, body: body() });
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(write));
    await checkCounts(service);
    // Written without the service, like a deployment's own scripts do.
    await db.updateTable('subscribers').set({ status_id: 2 }).where('is_trial', '=', 1).execute();
    await db.deleteFrom('subscribers').where('is_trial', '=', 0).where('id', '<', 50).execute();
    await checkCounts(service);
  });

  it('does not include a change that was rolled back', async () => {
    const service = await startService();
    await addSamples(service.db, { count: 50, seed: 3, now: service.time.now });
    const undone = service.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('subscribers').where('id', '<', 30).execute();
      await transaction.updateTable('subscribers').set({ status_id: 3, email_search: 'gone' }).execute();
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await checkCounts(service);
    const { data } = await service.client.listSubscribers({ query: { Email: 'example' } });
    expect(data.totalCount).toBe(50);
  });
});
