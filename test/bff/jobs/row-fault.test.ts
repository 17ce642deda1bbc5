import { describe, expect, it, beforeEach } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { person } from '../../support/people.ts';

const people = Array.from({ length: 24 }, (_, index) => person(`user-${index + 1}`));
const ids = people.map((_, index) => index + 1);
const update = { kind: 'update', change: { set: { maxConnections: 9 } } } as const;

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people });
  manager = await desk.signIn('manager');
});

const prepared = (targets = { ids }) => prepare(manager, { ...update, targets });

describe('a row that cannot be changed because of an unexpected error', () => {
  /** Some answers of the service cannot even be looked at, until the returned function is called. */
  const failAt = (method: string, path: string) => {
    const { upstream } = desk.deps;
    const { exchange } = upstream;
    const get = (): never => {
      throw new RangeError('broken');
    };
    upstream.exchange = async (request) => {
      const answer = await exchange(request);
      const isIt = request.method === method && new URL(request.url).pathname.endsWith(path);
      return isIt ? { ...answer, headers: { get } } : answer;
    };
    return () => void (upstream.exchange = exchange);
  };

  it('fails alone, is logged, and can be tried again', async () => {
    const { id } = await prepared();
    const mend = failAt('GET', '/3');
    expect((await runToEnd(manager, id)).counts).toMatchObject({ done: 23, failed: 1, change: 0 });
    expect(await rowsOf(manager, id, 'failed')).toMatchObject([{ subscriberId: 3, why: 'internal-error' }]);
    expect(desk.logs.filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'job-row-failed', job: id, row: 3, error: 'RangeError' },
    ]);
    mend();
    await manager.bff.retryJob({ params: { id } });
    expect((await untilJob(manager, id, 'done')).counts).toMatchObject({ done: 24, failed: 0 });
    const { data } = await desk.service.listSubscribers({ query: { PageSize: 200 } });
    expect(data.items.map(({ maxConnections }) => maxConnections)).toEqual(ids.map(() => 9));
  });

  it('is unconfirmed if its change was sent, and is not made twice', async () => {
    const { id } = await prepared({ ids: [1, 2] });
    const mend = failAt('PUT', '/2');
    expect((await runToEnd(manager, id)).counts).toMatchObject({ done: 1, unconfirmed: 1 });
    mend();
    desk.time.now += 120_000;
    await manager.bff.retryJob({ params: { id } });
    expect((await untilJob(manager, id, 'done')).counts).toMatchObject({ done: 2, unconfirmed: 0 });
    expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toHaveLength(2);
  });
});
