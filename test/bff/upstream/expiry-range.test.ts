import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';
import { listOf } from '../../support/service/list-as-array.ts';

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** Every third is a trial; several expire at the same time. */
const people = Array.from({ length: 60 }, (_, index) =>
  person(`p${String((index * 7) % 60).padStart(2, '0')}`, {
    expiresAt: new Date(start + ((index % 25) - 12) * hour).toISOString(),
    isTrial: index % 3 === 0,
  }),
);

let desk: TestDesk;
let support: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people, upstream: { extensions: [] }, time: { now: start } });
  support = await desk.signIn('support');
  desk.upstream.calls.length = 0;
});

const list = async (query: ListQuery) => (await support.api.listSubscribers({ query })).data;
const reads = () => desk.upstream.calls.length;
const everybody = async () =>
  (await desk.service.listSubscribers({ query: { PageSize: 200 } })).data.items.map((one) => ({
    ...one,
    accessToken: expect.any(String) as unknown as string,
  }));

const moment = fc.oneof(
  fc.constant('now'),
  fc.integer({ min: -14, max: 14 }).map((hours) => new Date(start + hours * hour).toISOString()),
);
const ranges: fc.Arbitrary<ListQuery> = fc
  .record({
    ExpiresFrom: fc.option(moment, { nil: undefined }),
    ExpiresTo: fc.option(moment, { nil: undefined }),
    Username: fc.constantFrom(undefined, '1', 'nobody'),
    StatusId: fc.constantFrom(undefined, 1),
    Expired: fc.constantFrom(undefined, true),
    SortBy: fc.constantFrom('expiresAt' as const, 'expiresAt_desc' as const),
    Page: fc.integer({ min: 1, max: 4 }),
    PageSize: fc.constantFrom(1, 7, 25, 200),
  })
  .filter(({ ExpiresFrom, ExpiresTo }) => ExpiresFrom !== undefined || ExpiresTo !== undefined);

test('a range has the page of a filtered array where the service cannot filter by expiry, beside all other filters', async () => {
  const all = await everybody();
  await fc.assert(
    fc.asyncProperty(ranges, async (query) => {
      expect(await list(query)).toEqual(listOf(all, query, start));
    }),
    { numRuns: 150 },
  );
});

describe('the pair of limits of a range', () => {
  const week: ListQuery = { ExpiresFrom: 'now', ExpiresTo: '7d', PageSize: 25 };

  it('is found with few reads of one row, and shared by everybody for a minute', async () => {
    const first = await list(week);
    expect(first.totalCount).toBeGreaterThan(0);
    // Bisecting 60 takes 6 reads, for each of two limits, and the page itself two.
    expect(reads()).toBeLessThanOrEqual(16);
    const viewer = await desk.signIn('viewer');
    const before = reads();
    await viewer.api.listSubscribers({ query: { ...week, Page: 2 } });
    expect(reads() - before).toBeLessThanOrEqual(2);
    desk.time.now += 61_000;
    await list(week);
    expect(reads() - before).toBeGreaterThan(8);
  });

  it('is found anew after a change here, and after subscribers were added elsewhere', async () => {
    const { totalCount } = await list(week);
    const someone = (await list(week)).items[0];
    await support.api.updateSubscriber({
      params: { id: someone?.id ?? 0 },
      body: { expiresAt: '2030-01-01T00:00:00Z' },
    });
    expect((await list(week)).totalCount).toBe(totalCount - 1);
    const expiresAt = new Date(start + hour / 2).toISOString();
    await desk.service.createSubscriber({ body: person('newcomer', { expiresAt }) });
    const now = await list(week);
    expect(now.totalCount).toBe(totalCount);
    expect(now.items.map(({ username }) => username)).toContain('newcomer');
  });

  it('is kept for 500 moments at most', async () => {
    const costOf = async (query: ListQuery) => {
      const before = reads();
      await list(query);
      return reads() - before;
    };
    await list(week);
    const known = await costOf(week);
    const others = Array.from({ length: 500 }, (_, index) => new Date(start + index * 1000).toISOString());
    for (const ExpiresFrom of others) await list({ ExpiresFrom, PageSize: 1 });
    expect(await costOf(week)).toBeGreaterThan(known);
  });

  it('is found in another order by reading everybody once', async () => {
    const listByName = () => list({ ...week, SortBy: 'username' }).catch((error: unknown) => error);
    expect(await listByName()).toMatchObject({ code: 'busy' });
    await expect.poll(listByName).toMatchObject({ totalCount: (await list(week)).totalCount });
  });

  it('is searched again by the next request if its search fails', async () => {
    const { operation } = desk.upstream;
    desk.upstream.operation = () => new Response(null, { status: 500 });
    await expect(list(week)).rejects.toMatchObject({ status: 502 });
    desk.upstream.operation = operation;
    expect((await list(week)).totalCount).toBeGreaterThan(0);
  });
});

test('a service that has the filter gets instants, never a relative moment', async () => {
  const given = await createTestDesk({ people });
  const { api } = await given.signIn('support');
  expect(
    (await api.listSubscribers({ query: { ExpiresFrom: '-1d', ExpiresTo: 'now' } })).data.totalCount,
  ).toBe(36);
  expect(given.upstream.calls.at(-1)?.url).toContain('ExpiresTo=2026-01-01T00%3A00%3A00.001Z');
});
