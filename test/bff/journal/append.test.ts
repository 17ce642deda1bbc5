import { beforeEach, describe, expect, it } from 'vitest';
import { createAppend, createMac } from '../../../src/bff/journal/chain.ts';
import { journalKey, createTestDesk, type TestDesk } from '../../support/desk.ts';

const mac = createMac(journalKey);
let desk: TestDesk;
beforeEach(async () => {
  desk = await createTestDesk({ staff: {} });
});

describe('work that appends to the journal', () => {
  it('shares a transaction with what comes while another one runs, in its order', async () => {
    const append = createAppend(desk.db, mac);
    const transactions: object[] = [];
    const work = (name: string) =>
      append(async (tx) => {
        if (!transactions.includes(tx)) transactions.push(tx);
        return `${name} in ${transactions.indexOf(tx)}`;
      });
    expect(await Promise.all(['one', 'two', 'three'].map(work))).toEqual([
      'one in 0',
      'two in 1',
      'three in 1',
    ]);
  });

  it('waits a moment for more where more is under way', async () => {
    const append = createAppend(desk.db, mac, () => true);
    const transactions = new Set<object>();
    const work = () => append(async (tx) => void transactions.add(tx));
    await Promise.all([work(), work(), work()]);
    expect(transactions.size).toBe(1);
  });

  it('fails with all that shared its transaction, of which nothing is written, and later work goes on', async () => {
    const append = createAppend(desk.db, mac, () => true);
    const draft = { owner: 'kari', form: 'new', body: '{}', saved_at: 0 };
    const write = append(async (tx) => {
      await tx.insertInto('drafts').values(draft).execute();
    });
    const fail = append(async () => {
      throw new Error('broken');
    });
    expect(await Promise.allSettled([write, fail])).toMatchObject([
      { reason: { message: 'broken' } },
      { reason: { message: 'broken' } },
    ]);
    expect(await desk.db.selectFrom('drafts').selectAll().execute()).toEqual([]);
    expect(await append(async () => 'later')).toBe('later');
  });
});
