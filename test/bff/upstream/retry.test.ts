import { describe, expect, test } from 'vitest';
import { problemAnswer } from '../../../src/contract/http/problem-answer.ts';
import { Refusal } from '../../../src/contract/http/refusal.ts';
import { UnusableAnswer } from '../../../src/bff/upstream/failures.ts';
import { readRetryAfter } from '../../../src/bff/upstream/retry.ts';
import { context, json, openCaller, outcomeOf } from '../../support/bff/caller.ts';

const busy = (headers: Record<string, string> = {}, status = 503) => new Response('', { status, headers });
const refused = () => Promise.reject(new TypeError('fetch failed'));
const input = { username: 'ann', email: 'ann@example.com', expiresAt: '2027-01-01T00:00:00Z' };
const body = { ...input, maxConnections: 1, isTrial: false, note: '', hls: true, mpegTs: true };
const lists = { bundles: [], ipAddresses: [], userAgents: [], countries: [] };

describe('a read that failed', () => {
  test.each([
    ['cannot connect', refused],
    ['is busy', () => busy()],
    ['limits the rate', () => busy({}, 429)],
    ['is behind a broken gateway', () => busy({}, 502)],
    ['is behind a gateway whose wait times out', () => busy({}, 504)],
    ['breaks off its answer', () => Promise.reject(new UnusableAnswer('BROKEN_OFF'))],
  ])('is sent twice more where the service %s', async (_, failure) => {
    const { list, sent } = openCaller((__, count) => (count < 3 ? failure() : json()));
    expect(await outcomeOf(list())).toBe(200);
    expect(sent).toHaveLength(3);
  });

  test('is not sent a third time', async () => {
    const { list, sent } = openCaller(() => busy());
    expect(await outcomeOf(list())).toEqual(['upstream-unreachable', null]);
    expect(sent).toHaveLength(3);
  });

  test('says that the service is busy where that one says so itself, as the embedded one may', async () => {
    const { list, sent } = openCaller(() =>
      problemAnswer(new Refusal('busy', 'canary', { headers: { 'Retry-After': '1' } }), 'r'),
    );
    expect(await outcomeOf(list())).toEqual(['busy', '1']);
    expect(sent).toHaveLength(3);
  });

  test.each([
    ['of another status', problemAnswer(new Refusal('upstream-timeout', 'canary'), 'r')],
    ['of another program', Response.json({ type: 'busy' }, { status: 503 })],
  ])('says that it cannot be reached for a gateway’s refusal %s', async (_, answer) => {
    const { list } = openCaller(() => answer.clone());
    expect(await outcomeOf(list())).not.toContain('busy');
  });

  test.each([
    ['its work fails', () => busy({}, 500)],
    ['it refuses the input', () => busy({}, 422)],
    ['it finds nobody', () => busy({}, 404)],
    ['its answer is too large', () => Promise.reject(new UnusableAnswer('TOO_LARGE'))],
    ['it does not speak HTTP', () => Promise.reject(new UnusableAnswer('NOT_HTTP'))],
    ['it took too long', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
  ])('does not go out again where %s', async (_, failure) => {
    const { list, sent } = openCaller(failure);
    await outcomeOf(list());
    expect(sent).toHaveLength(1);
  });

  test('waits by chance, up to a fifth of a second and then up to twice that', async () => {
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

  test('keeps to the 15 seconds of the whole call', async () => {
    const { list, sent, time } = openCaller(() => {
      time.now += 8000;
      return busy();
    });
    await outcomeOf(list());
    expect(sent).toHaveLength(2);
  });
});

describe('a write that failed', () => {
  test.each(['createSubscriber', 'updateSubscriber', 'regenerateToken', 'deleteSubscriber'] as const)(
    '%s went out once',
    async (operation) => {
      const { caller, sent } = openCaller(refused);
      const whole = { params: { id: 7 }, body: { ...body, ...lists } };
      const done = caller.call(operation, whole, { ...context, role: 'manager' });
      expect(await outcomeOf(done)).toEqual(['upstream-unreachable', null]);
      expect(sent).toHaveLength(1);
    },
  );
});

describe('the budget', () => {
  test('lets a tenth of the calls be retries, and two more', async () => {
    // Failing every third time keeps the breaker closed.
    const { list, sent } = openCaller((_, count) => (count % 3 === 0 ? busy() : json()));
    const calls = 2000;
    for (let call = 0; call < calls; call += 1) await outcomeOf(list());
    const retries = sent.length - calls;
    expect(retries).toBeLessThanOrEqual(calls / 10 + 2);
    expect(retries).toBeGreaterThan(calls / 10 - 2);
  });

  test('saves up ten at most', async () => {
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
    ['of nothing', '0', 0],
    ['below nothing', '-1', 0],
    ['in parts of a second', '1.5', 0],
    ['in words', 'soon', 0],
    ['that is empty', '', 0],
    ['twice', '1, 2', 0],
  ])('%s is obeyed as far as it can be read', async (_, text, pause) => {
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
  ])('of %s is too long for the BFF to wait, and passed on to the browser', async (text, seconds) => {
    const { list, sent } = openCaller(() => busy({ 'Retry-After': text }));
    expect(await outcomeOf(list())).toEqual(['upstream-unreachable', seconds]);
    expect(sent).toHaveLength(1);
  });

  test.each(['2026', 'Jan', 'Infinity', '0x10', '1e3', '+5', '2026-01-01T00:01:00Z'])(
    '%s is none',
    (text) => {
      expect(readRetryAfter(new Headers({ 'Retry-After': text }), 0)).toBe(
        text === '2026' ? 2_026_000 : null,
      );
    },
  );
});
