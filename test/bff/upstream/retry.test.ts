import { describe, expect, it, test } from 'vitest';
import { toResponse, problemAnswer } from '../../../src/contract/http/answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { UnusableAnswer } from '../../../src/bff/upstream/failures.ts';
import { readRetryAfter } from '../../../src/bff/upstream/send.ts';
import { context, json, openCaller, outcomeOf } from '../../support/bff/caller.ts';

const busy = (headers: Record<string, string> = {}, status = 503) => new Response('', { status, headers });
const refused = () => Promise.reject(new TypeError('fetch failed'));
const input = { username: 'ann', email: 'ann@example.com', expiresAt: '2027-01-01T00:00:00Z' };
const body = { ...input, maxConnections: 1, isTrial: false, note: '', hls: true, mpegTs: true };
const lists = { bundles: [], ipAddresses: [], userAgents: [], countries: [] };

describe('a read that failed', () => {
  it.each([
    ['cannot connect', refused],
    ['is busy', () => busy()],
    ['limits the rate', () => busy({}, 429)],
    ['is behind a broken gateway', () => busy({}, 502)],
    ['is behind a gateway whose wait times out', () => busy({}, 504)],
    ['breaks off its answer', () => Promise.reject(new UnusableAnswer('BROKEN_OFF'))],
  ])('is sent twice more if the service %s', async (_, failure) => {
    const { list, sent } = openCaller((__, count) => (count < 3 ? failure() : json()));
    expect(await outcomeOf(list())).toBe(200);
    expect(sent).toHaveLength(3);
  });

  it('is answered with busy if the service itself says that it is busy', async () => {
    const { list, sent } = openCaller(() =>
      toResponse(problemAnswer(new Problem('busy', 'canary', { headers: { 'Retry-After': '1' } }), 'r')),
    );
    expect(await outcomeOf(list())).toEqual(['busy', '1']);
    expect(sent).toHaveLength(3);
  });

  it.each([
    ['of another status', toResponse(problemAnswer(new Problem('upstream-timeout', 'canary'), 'r'))],
    ['of another program', Response.json({ type: 'busy' }, { status: 503 })],
  ])('is not answered with busy for a refusal %s', async (_, answer) => {
    const { list } = openCaller(() => answer.clone());
    expect(await outcomeOf(list())).not.toContain('busy');
  });

  it.each([
    ['the service answers 500', () => busy({}, 500)],
    ['the service refuses the input', () => busy({}, 422)],
    ['there is no such record', () => busy({}, 404)],
    ['the answer is too large', () => Promise.reject(new UnusableAnswer('TOO_LARGE'))],
    ['the answer is not HTTP', () => Promise.reject(new UnusableAnswer('NOT_HTTP'))],
    ['the service took too long', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
  ])('is not sent again if %s', async (_, failure) => {
    const { list, sent } = openCaller(failure);
    await outcomeOf(list());
    expect(sent).toHaveLength(1);
  });

  it('is retried after a random pause of up to 0.2 seconds, then of up to 0.4 seconds', async () => {
    const { list, chance, pauses } = openCaller(() => busy());
    await outcomeOf(list());
    expect(pauses).toEqual([0, 0]);
    const another = openCaller(() => busy());
    another.chance.of = 255 / 256;
    await outcomeOf(another.list());
    expect(another.pauses[0]).toBeCloseTo(200, -1);
    expect(another.pauses[1]).toBeCloseTo(400, -1);
    expect(chance.of).toBe(0);
  });

  it('is not retried past the 15 seconds of the whole call', async () => {
    const { list, sent, time } = openCaller(() => {
      time.now += 8000;
      return busy();
    });
    await outcomeOf(list());
    expect(sent).toHaveLength(2);
  });
});

describe('a change that failed', () => {
  it.each(['createSubscriber', 'updateSubscriber', 'regenerateToken', 'deleteSubscriber'] as const)(
    'is not sent again: %s',
    async (operation) => {
      const { caller, sent } = openCaller(refused);
      const whole = { params: { id: 7 }, body: { ...body, ...lists } };
      const done = caller.call(operation, whole, { ...context, role: 'manager' });
      expect(await outcomeOf(done)).toEqual(['upstream-unreachable', null]);
      expect(sent).toHaveLength(1);
    },
  );
});

describe('the retry budget', () => {
  it('allows a retry for every ten calls, and two more at the start', async () => {
    // The breaker stays closed if only every third call fails.
    const { list, sent } = openCaller((_, count) => (count % 3 === 0 ? busy() : json()));
    const calls = 2000;
    for (let call = 0; call < calls; call += 1) await outcomeOf(list());
    const retries = sent.length - calls;
    expect(retries).toBeLessThanOrEqual(calls / 10 + 2);
    expect(retries).toBeGreaterThan(calls / 10 - 2);
  });

  it('saves up at most ten retries', async () => {
    let broken = false;
    const { list, sent } = openCaller((_, count) => (broken && count % 2 === 0 ? busy() : json()));
    for (let call = 0; call < 1000; call += 1) await list();
    broken = true;
    const before = sent.length;
    for (let call = 0; call < 30; call += 1) await outcomeOf(list());
    expect(sent.length - before - 30).toBeLessThanOrEqual(10 + 3);
  });
});

describe('Retry-After', () => {
  test.each([
    ['in seconds', '3', 3000],
    ['as a date', 'Thu, 01 Jan 2026 00:00:04 GMT', 4000],
    ['as a date that has passed', 'Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['of zero seconds', '0', 0],
    ['of less than zero', '-1', 0],
    ['of parts of a second', '1.5', 0],
    ['in words', 'soon', 0],
    ['that is empty', '', 0],
    ['twice', '1, 2', 0],
  ])('Retry-After %s is obeyed if it can be read', async (_, text, pause) => {
    const { list, pauses } = openCaller((__, count) =>
      count === 1 ? busy({ 'Retry-After': text }, 429) : json(),
    );
    expect(await outcomeOf(list())).toBe(200);
    expect(pauses).toEqual([pause]);
  });

  test.each([
    ['6', '6'],
    ['30', '30'],
    ['Thu, 01 Jan 2026 00:01:00 GMT', '60'],
    ['99999999999999999999', '86400'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '86400'],
  ])(
    'Retry-After of %s is too long for the BFF to wait, and passed on to the browser',
    async (text, seconds) => {
      const { list, sent } = openCaller(() => busy({ 'Retry-After': text }));
      expect(await outcomeOf(list())).toEqual(['upstream-unreachable', seconds]);
      expect(sent).toHaveLength(1);
    },
  );

  test.each(['2026', 'Jan', 'Infinity', '0x10', '1e3', '+5', '2026-01-01T00:01:00Z'])(
    'Retry-After of %s is ignored unless it is a number of seconds or a date',
    (text) => {
      expect(readRetryAfter(new Headers({ 'Retry-After': text }), 0)).toBe(
        text === '2026' ? 2_026_000 : null,
      );
    },
  );
});
