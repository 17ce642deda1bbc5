import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { breakerLimits } from '../../../src/bff/upstream/send.ts';
import { upstreamLimits } from '../../../src/bff/upstream/exchange.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { onlyPage, subscriber, wholeSubscriber } from '../../support/bff/canned.ts';
import { context, openCaller, outcomeOf } from '../../support/bff/caller.ts';

/** In ms: each answer of the service is in time, and two are not. */
const slowness = upstreamLimits.total - 1000;

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Lets time pass, and what happens in it. */
async function pass(ms: number): Promise<void> {
  await settle();
  for (let rest = ms; rest > 0; rest -= 500) {
    vi.advanceTimersByTime(Math.min(500, rest));
    await settle();
  }
}

/** The outcome of a call so far. */
function watch(call: ReturnType<ReturnType<typeof openCaller>['caller']['call']>) {
  const ended = outcomeOf(call);
  const seen: { outcome: unknown; ended: typeof ended } = { outcome: 'none yet', ended };
  void ended.then((outcome) => (seen.outcome = outcome));
  return seen;
}

/** Half of all expire after the range below. */
const pageOf = (page: number) => ({
  ...onlyPage,
  items: [page > 500 ? { ...subscriber, expiresAt: '2028-01-01T00:00:00.000Z' } : subscriber],
  pageSize: 1,
  totalCount: 1000,
  totalPages: 1000,
});

const answerLate = async ({ url }: Request) => {
  await new Promise((resolve) => setTimeout(resolve, slowness));
  const { pathname, searchParams } = new URL(url);
  if (pathname.endsWith('/subscribers')) return Response.json(pageOf(Number(searchParams.get('Page'))));
  return Response.json(searchParams.has('include') ? wholeSubscriber : subscriber);
};
const openSlow = (connection: Parameters<typeof openCaller>[2] = {}) =>
  openCaller(answerLate, undefined, connection);

const timeout = ['upstream-timeout', null];
const range = { ExpiresFrom: '2026-06-01T00:00:00Z', ExpiresTo: '2027-06-01T00:00:00Z' };
const get = { params: { id: 7 }, query: {} };
const getWhole = {
  params: { id: 7 },
  query: { include: ['bundles', 'ipAddresses', 'userAgents', 'countries'] },
} as const;

describe('an answer that takes several slow calls to the service', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends in time for a range of expiries', async () => {
    const { caller } = openSlow({ extensions: [] });
    const seen = watch(caller.call('listSubscribers', { query: range }, context));
    await pass(upstreamLimits.total);
    expect(seen.outcome).toEqual(timeout);
  });

  it('ends in time for a record without a version', async () => {
    const { caller } = openSlow();
    const seen = watch(caller.call('getSubscriber', get, context));
    await pass(upstreamLimits.total);
    expect(seen.outcome).toEqual(timeout);
  });

  it('ends in time for a page in parts', async () => {
    const { caller } = openSlow({ dialect: Dialect.parse({ maxPageSize: 1 }) });
    const seen = watch(caller.call('listSubscribers', { query: { PageSize: 50 } }, context));
    await pass(upstreamLimits.total);
    expect(seen.outcome).toEqual(timeout);
  });

  it('leaves a read that another caller shares to its end', async () => {
    const { caller, sent } = openSlow();
    const first = watch(caller.call('getSubscriber', get, context));
    await pass(slowness + 500);
    const input = { ...getWhole, query: { include: [...getWhole.query.include] } };
    const other = watch(caller.call('getSubscriber', input, context));
    await pass(500);
    expect(first.outcome).toEqual(timeout);
    await pass(slowness);
    expect(await other.ended).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it('asks no more for a range of expiries after its time, also where the client has gone', async () => {
    const { caller, sent } = openSlow({ extensions: [] });
    const client = new AbortController();
    const seen = watch(
      caller.call('listSubscribers', { query: range }, { ...context, signal: client.signal }),
    );
    await pass(1000);
    client.abort();
    await settle();
    expect(seen.outcome).toEqual(timeout);
    await pass(upstreamLimits.total);
    const requested = sent.length;
    await pass(2 * upstreamLimits.total);
    expect(sent).toHaveLength(requested);
  });
});

it('reads that time out open the breaker', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { list, logs } = openCaller(() => new Promise<Response>(() => undefined));
  const calls = Array.from({ length: 5 }, (_, page) => watch(list(page + 1)));
  await pass(upstreamLimits.total);
  expect(calls.map(({ outcome }) => outcome)).toEqual(calls.map(() => timeout));
  await pass(breakerLimits.answer);
  vi.useRealTimers();
  expect(logs).toContainEqual({ level: 'warn', event: 'upstream-breaker', state: 'open' });
});
