import { describe, expect, it, test } from 'vitest';
import { typePrefix } from '../../../src/contract/http/endpoint.ts';
import { breakerLimits } from '../../../src/bff/upstream/send.ts';
import { UnusableAnswer } from '../../../src/bff/upstream/failures.ts';
import { tokenAnswer } from '../../support/bff/canned.ts';
import { context, json, openCaller, outcomeOf } from '../../support/bff/caller.ts';

/** A service that is down until a test brings it back. */
function openDark() {
  const light = { on: false };
  const bff = openCaller(() =>
    light.on ? json() : Promise.reject(Object.assign(new Error('dark'), { code: 'ECONNREFUSED' })),
  );
  const fail = async (times: number) => {
    for (let page = 1; page <= times; page += 1) await outcomeOf(bff.list(page));
  };
  return { ...bff, light, fail };
}

/** More calls than are needed to open the breaker. */
const many = breakerLimits.failures + 1;

describe('a service that is down', () => {
  it('gets little more than the probes from 100 requests a second for ten minutes', async () => {
    const { list, sent, time } = openDark();
    const began = time.now;
    let [waited, reported] = [0, 0];
    for (let call = 0; call < 60_000; call += 1) {
      time.now = Math.max(time.now, began + call * 10);
      const before = time.now;
      const [code, retryAfter] = (await outcomeOf(list(call + 1))) as [string, string | null];
      expect(code).toBe('upstream-unreachable');
      if (retryAfter !== null) reported += 1;
      waited += time.now - before;
    }
    const probes = 600_000 / breakerLimits.pause;
    expect(sent.length).toBeLessThanOrEqual(1.1 * probes);
    expect(sent.length).toBeGreaterThan(0.9 * probes);
    // All calls that were not sent are told when to try again.
    expect(reported).toBeGreaterThanOrEqual(60_000 - sent.length);
    expect(waited).toBeLessThan(1000);
  });

  it('is not asked for a token either', async () => {
    const { caller, time, tokens, fail } = openDark();
    await fail(many);
    time.now += 1000;
    const requested = tokens.length;
    const write = { ...context, role: 'manager' } as const;
    expect(await outcomeOf(caller.call('regenerateToken', { params: { id: 7 } }, write))).toEqual([
      'upstream-unreachable',
      '9',
    ]);
    expect(tokens).toHaveLength(requested);
  });

  it('gets all calls again as soon as a probe succeeds, within half a minute', async () => {
    const { list, time, light, fail } = openDark();
    await fail(many);
    light.on = true;
    const dark = time.now;
    while (typeof (await outcomeOf(list())) !== 'number') time.now += 100;
    expect(time.now - dark).toBeLessThanOrEqual(breakerLimits.pause);
    // A probe may have begun just before the service came back, and hang for all of its 15 seconds.
    expect(breakerLimits.pause + 15_000).toBeLessThan(30_000);
    expect(await Promise.all([2, 3, 4].map((page) => outcomeOf(list(page))))).toEqual([200, 200, 200]);
  });

  it('is logged once when it fails, and once when it recovers', async () => {
    const { list, time, light, logs, fail } = openDark();
    await fail(2 * many);
    time.now += breakerLimits.pause;
    await fail(2 * many);
    light.on = true;
    time.now += breakerLimits.pause;
    await list();
    const states = logs.filter((line) => Object(line).event === 'upstream-breaker');
    expect(states).toMatchObject([{ state: 'open' }, { state: 'closed' }]);
  });
});

describe('the half-open breaker', () => {
  /** A breaker past its pause, with a service whose answers a test holds back. */
  async function openHalf() {
    const held: PromiseWithResolvers<Response>[] = [];
    const light = { on: false };
    const good = 30;
    const bff = openCaller((_, count) => {
      if (count <= good) return json();
      if (!light.on) throw new Error('dark');
      const answer = Promise.withResolvers<Response>();
      held.push(answer);
      return answer.promise;
    });
    // So many calls that they earn retries for later.
    for (let page = 1; page <= good; page += 1) await bff.list(page);
    for (let page = 1; page <= many; page += 1) await outcomeOf(bff.list(page));
    light.on = true;
    bff.time.now += breakerLimits.pause;
    return { ...bff, held };
  }
  const yieldToOthers = () => new Promise((resolve) => setImmediate(resolve));

  it('lets the first call wait for its probe, and the others fail at once', async () => {
    const { list, held } = await openHalf();
    const first = outcomeOf(list(1));
    const others = await Promise.all([2, 3, 4].map((page) => outcomeOf(list(page))));
    expect(others).toEqual(others.map(() => ['upstream-unreachable', '1']));
    await yieldToOthers();
    expect(held).toHaveLength(1);
    held[0]?.resolve(json());
    await yieldToOthers();
    held[1]?.resolve(json());
    expect(await first).toBe(200);
  });

  it('lets no other call wait for the token of the probe', async () => {
    const held = Promise.withResolvers<Response>();
    let dark = true;
    const { list, time } = openCaller(
      () => json(),
      () => (dark ? Promise.reject(new Error('dark')) : held.promise),
    );
    for (let page = 1; page <= many; page += 1) await outcomeOf(list(page));
    dark = false;
    time.now += breakerLimits.pause;
    const first = outcomeOf(list(1));
    await yieldToOthers();
    expect(await outcomeOf(list(2))).toEqual(['upstream-unreachable', '1']);
    held.resolve(tokenAnswer(1));
    expect(await first).toBe(200);
  });

  it('opens again if its probe fails, without repeating it', async () => {
    const { list, held, sent, pauses } = await openHalf();
    const [before, waits] = [sent.length, pauses.length];
    const first = outcomeOf(list(1));
    await yieldToOthers();
    held[0]?.reject(new Error('dark'));
    expect(await first).toEqual(['upstream-unreachable', '10']);
    expect(await outcomeOf(list(2))).toEqual(['upstream-unreachable', '10']);
    expect([sent.length - before, pauses.length - waits]).toEqual([1, 0]);
  });
});

const problem = { title: 'Too slow', status: 503, detail: 'Too slow.', requestId: 'r' };

describe('the closed breaker', () => {
  test.each([
    ['a gateway', 504, 'text/plain', 'slow'],
    [
      'our own service',
      503,
      'application/problem+json',
      JSON.stringify({ ...problem, type: `${typePrefix}database-unavailable` }),
    ],
  ])('one search that is too slow for %s keeps nobody from anything else', async (_, status, type, body) => {
    const { caller, list, logs } = openCaller(({ url }) =>
      url.includes('Username=') ? new Response(body, { status, headers: { 'Content-Type': type } }) : json(),
    );
    const search = (text: string) =>
      outcomeOf(caller.call('listSubscribers', { query: { Username: text } }, context));
    const others: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (let count = 0; count < many; count += 1) await search(`${round} ${count}`);
      others.push(await outcomeOf(list(round + 1)));
    }
    expect([...new Set(others)]).toEqual([200]);
    expect(logs).not.toContainEqual(expect.objectContaining({ event: 'upstream-breaker' }));
  });

  test.each([
    ['if single operations fail', () => new Response('', { status: 500 })],
    ['if answers cannot be used', () => Promise.reject(new UnusableAnswer('TOO_LARGE'))],
    [
      'if the service limits the rate',
      () => new Response('', { status: 429, headers: { 'Retry-After': '60' } }),
    ],
  ])('the breaker stays closed %s', async (_, answer) => {
    const { list, sent } = openCaller(answer);
    for (let page = 1; page <= 20; page += 1) await outcomeOf(list(page));
    expect(sent).toHaveLength(20);
  });

  test('the breaker stays closed if one success comes between the failures', async () => {
    const { list, sent } = openCaller((_, count) =>
      count % breakerLimits.failures === 0 ? json() : new Response('', { status: 503, headers: slow }),
    );
    for (let page = 1; page <= 40; page += 1) await outcomeOf(list(page));
    expect(sent).toHaveLength(40);
  });
});

/** A longer wait than retries allow, so that there is no retry. */
const slow = { 'Retry-After': '60' };

test('a failure that began before the breaker opened and closed again does not count', async () => {
  const pending: PromiseWithResolvers<Response>[] = [];
  let mood: 'hold' | 'fail' | 'work' = 'hold';
  const { list, time, sent } = openCaller(() => {
    if (mood === 'work') return json();
    if (mood === 'fail') throw new Error('dark');
    const answer = Promise.withResolvers<Response>();
    pending.push(answer);
    return answer.promise;
  });
  const old = Array.from({ length: many }, (_, page) => outcomeOf(list(page + 1)));
  await new Promise((resolve) => setImmediate(resolve));
  mood = 'fail';
  for (let page = 1; page <= many; page += 1) await outcomeOf(list(100 + page));
  time.now += breakerLimits.pause;
  mood = 'work';
  await list(200);
  for (const answer of pending) answer.resolve(new Response('', { status: 503, headers: slow }));
  await Promise.all(old);
  const before = sent.length;
  expect(await outcomeOf(list(201))).toBe(200);
  expect(sent.length - before).toBe(1);
});
