import { describe, expect, it, test, vi } from 'vitest';
import type { ReadLimits } from '../../../src/bff/deps.ts';
import { createReadLimits, readLimitsOf } from '../../../src/bff/http/read-limits.ts';
import { createTestDesk } from '../../support/desk.ts';
import type { CurrentUser } from '../../../src/bff/current-user.ts';

const readLimits = readLimitsOf(20);
const yieldToOthers = () => new Promise((resolve) => setImmediate(resolve));
const user = (staffId: string | null): CurrentUser => ({
  staffId,
  name: 'Ann',
  role: 'viewer',
  mustChangePassword: false,
  singleSignOn: false,
  isProven: true,
});
const tooMany = { code: 'too-many-requests', particulars: { headers: { 'Retry-After': '5' } } };

/** Reads that go on until the test ends them, and a clock that waiting moves. */
function open(limits: Partial<ReadLimits> = {}) {
  const time = { now: 1_000_000 };
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    time.now += ms;
  };
  const run = createReadLimits({ clock: () => time.now, wait }, { ...readLimits, ...limits });
  const begun: string[] = [];
  const checks: string[] = [];
  const recheckAccess = async () => checks.push('checked');
  const ends: (() => void)[] = [];
  const read = (operation: string, staffId: string | null = 'ann', signal = new AbortController().signal) =>
    run(
      { isList: operation.startsWith('list'), user: user(staffId), signal: () => signal, recheckAccess },
      async () => {
        begun.push(operation);
        await new Promise<void>((resolve) => ends.push(resolve));
        return operation;
      },
    );
  const many = async (count: number) => {
    const { signal } = new AbortController();
    const one = { isList: false, user: user('ann'), signal: () => signal, recheckAccess };
    for (let done = 0; done < count; done += 1) await run(one, async () => 1);
  };
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await yieldToOthers();
    }
  };
  return { time, waits, begun, checks, read, many, endAll };
}

describe('the limit of reads', () => {
  it('lets an account make 8 reads at once; 24 more wait, and the next is refused', async () => {
    const { begun, read, endAll } = open();
    const all = Array.from({ length: 32 }, () => read('getSubscriber'));
    await yieldToOthers();
    expect(begun).toHaveLength(8);
    await expect(read('getSubscriber')).rejects.toMatchObject(tooMany);
    await endAll();
    expect(await Promise.all(all)).toHaveLength(32);
  });

  it('lets an account read two lists at once, while other reads go past them', async () => {
    const { begun, read, endAll } = open();
    const all = ['listSubscribers', 'listActivity', 'listSubscribers', 'getSubscriber'].map((name) =>
      read(name),
    );
    await yieldToOthers();
    expect(begun).toEqual(['listSubscribers', 'listActivity', 'getSubscriber']);
    await endAll();
    await Promise.all(all);
  });

  it('looks at the session again before a read that has waited, and before no other', async () => {
    const { begun, checks, read, endAll } = open();
    const all = ['listActivity', 'listActivity', 'listActivity', 'getSubscriber'].map((name) => read(name));
    await yieldToOthers();
    expect([begun.length, checks.length]).toEqual([3, 0]);
    await endAll();
    await Promise.all(all);
    expect([begun.length, checks.length]).toEqual([4, 1]);
  });

  it('leaves other accounts as they were', async () => {
    const { begun, read, endAll } = open();
    const script = Array.from({ length: 32 }, () => read('listSubscribers', 'script'));
    const other = read('listSubscribers', 'other');
    await yieldToOthers();
    expect(begun).toHaveLength(3);
    await endAll();
    await Promise.all([...script, other]);
  });

  it('comes down to 20 a second after a burst of 100', async () => {
    const { time, waits, many } = open();
    await many(100);
    expect(waits).toEqual([]);
    const began = time.now;
    await many(200);
    expect(time.now - began).toBeCloseTo(10_000);
  });

  it('takes a read out of the queue when its client goes', async () => {
    const { begun, read, endAll } = open();
    const running = Array.from({ length: 8 }, () => read('getSubscriber'));
    const client = new AbortController();
    const waiting = read('getSubscriber', 'ann', client.signal);
    client.abort();
    await expect(waiting).rejects.toMatchObject(tooMany);
    await endAll();
    await Promise.all(running);
    expect(begun).toHaveLength(8);
  });

  it('does not concern a tab, where there are no accounts', async () => {
    const { begun, read, endAll } = open();
    const all = Array.from({ length: 50 }, () => read('listSubscribers', null));
    expect(begun).toHaveLength(50);
    await endAll();
    await Promise.all(all);
  });
});

test('a BFF with limits answers 429 to a flood of reads, and calls the service for none of those', async () => {
  const { upstream, signIn } = await createTestDesk({
    service: 'canned',
    accountLimits: { ...readLimits, reads: { ...readLimits.reads, patience: 60_000 } },
  });
  const held = Promise.withResolvers<void>();
  const answer = upstream.operation;
  upstream.operation = async (...seen) => {
    await held.promise;
    return answer(...seen);
  };
  const viewer = await signIn('viewer');
  const refused: Response[] = [];
  const reads = Array.from({ length: 40 }, async (_, index) => {
    const read = await viewer.ask('GET', `/api/subscribers/${index + 1}`);
    if (read.status === 429) refused.push(read);
    return read.status;
  });
  await vi.waitFor(() => expect(refused).toHaveLength(8), { timeout: 30_000 });
  expect(refused[0]?.headers.get('Retry-After')).toBe('5');
  held.resolve();
  expect((await Promise.all(reads)).filter((status) => status === 200)).toHaveLength(32);
  expect(upstream.calls.length).toBe(32);
});

test('a read that has waited is not answered once its session has ended', async () => {
  const { upstream, signIn, db } = await createTestDesk({ service: 'canned', accountLimits: readLimits });
  const held = Promise.withResolvers<void>();
  const answer = upstream.operation;
  upstream.operation = async (...seen) => {
    await held.promise;
    return answer(...seen);
  };
  const viewer = await signIn('viewer');
  const reads = Array.from({ length: 9 }, (_, index) => viewer.ask('GET', `/api/subscribers/${index + 1}`));
  await vi.waitFor(() => expect(upstream.calls).toHaveLength(8), { timeout: 30_000 });
  await db.deleteFrom('sessions').execute();
  held.resolve();
  // Any of them may be the one that waits: PostgreSQL answers them in no order.
  const statuses = (await Promise.all(reads)).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([...Array<number>(8).fill(200), 401]);
});
