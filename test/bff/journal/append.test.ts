import { beforeEach, describe, expect, it } from 'vitest';
import { createAppend, createMac } from '../../../src/bff/journal/chain.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
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

  const draft = { owner: 'kari', form: 'new', body: '{}', saved_at: 0 };
  const drafts = () => desk.db.selectFrom('drafts').selectAll().execute();
  /** Work that writes a draft, beside work that fails with an error. */
  const besideFailing = (fault: Error) => {
    const append = createAppend(desk.db, mac, () => true);
    let runs = 0;
    const write = append(async (tx) => {
      await tx.insertInto('drafts').values(draft).execute();
    });
    const fail = append(async () => {
      runs += 1;
      throw fault;
    });
    return { append, settled: Promise.allSettled([write, fail]), runs: () => runs };
  };

  it('fails alone by a fault of its own, and what shared its transaction is done', async () => {
    const { append, settled, runs } = besideFailing(new Error('broken'));
    expect(await settled).toMatchObject([{ status: 'fulfilled' }, { reason: { message: 'broken' } }]);
    expect(runs()).toBe(2);
    expect(await drafts()).toEqual([draft]);
    expect(await append(async () => 'later')).toBe('later');
  });

  it('fails with all that shared its transaction by a problem, such as of the database, and none is tried again', async () => {
    const { append, settled, runs } = besideFailing(new Problem('change-unconfirmed', 'Unclear.'));
    const reason = { code: 'change-unconfirmed' };
    expect(await settled).toMatchObject([{ reason }, { reason }]);
    expect(runs()).toBe(1);
    expect(await drafts()).toEqual([]);
    expect(await append(async () => 'later')).toBe('later');
  });
});
