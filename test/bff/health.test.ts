import { beforeEach, describe, expect, it } from 'vitest';
import { createBffMetrics } from '../../src/server/metrics.ts';
import { createTestDesk, type TestDesk } from '../support/desk.ts';
import { ask, outcomeOf, password } from '../support/bff/browser.ts';

const token = 'of-the-monitoring';
const metrics = { token, figures: createBffMetrics() };

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned', metrics });
});

/** As a load balancer asks: without a session and without our header. */
const check = async (path: string, token: string | null = null) => {
  const own = { 'X-CSRF': null, 'Sec-Fetch-Site': null };
  const headers = { ...own, ...(token !== null && { Authorization: `Bearer ${token}` }) };
  const response = await bff.fetch(ask('GET', path, { headers }));
  return [response.status, await response.json()];
};

describe('the server', () => {
  it('is ready when its database answers and a token can be had', async () => {
    expect(await check('/readyz', token)).toEqual([200, { ready: true, database: true, upstream: true }]);
    expect(bff.upstream.tokenCalls).toHaveLength(1);
  });

  it('is alive but not ready while the service is away, and ready again when it is back', async () => {
    bff.upstream.token = () => Promise.reject(new TypeError('connect ECONNREFUSED'));
    expect(await check('/readyz', token)).toEqual([503, { ready: false, database: true, upstream: false }]);
    expect(await check('/healthz')).toEqual([200, { alive: true }]);
    bff.upstream.token = () => Response.json({ access_token: 'x', token_type: 'bearer' });
    expect(await check('/readyz', token)).toEqual([200, { ready: true, database: true, upstream: true }]);
  });

  it('serves nobody and deletes nothing while its clock is wrong, and says so', async () => {
    bff = await createTestDesk({ staff: { ann: 'manager' }, isClockWrong: () => true, journalDays: 1 });
    expect(await check('/healthz')).toEqual([503, { alive: true, clock: 'wrong' }]);
    const requested = bff.fetch(ask('POST', '/bff/session', { body: { name: 'ann', password } }));
    expect(await outcomeOf(requested)).toBe('503 clock-wrong');
    await bff.runMaintenance();
    expect(bff.logs).toEqual([
      expect.objectContaining({ event: 'request' }),
      expect.objectContaining({ event: 'request' }),
    ]);
  });

  it('is alive but not ready while it shuts down', async () => {
    bff = await createTestDesk({ service: 'canned', metrics, isStopping: () => true });
    expect(await check('/readyz', token)).toEqual([
      503,
      { ready: false, database: true, upstream: true, leaving: true },
    ]);
    expect(await check('/healthz')).toEqual([200, { alive: true }]);
  });

  it('is alive but not ready without its database', async () => {
    await bff.db.destroy();
    expect(await check('/readyz', token)).toEqual([503, { ready: false, database: false, upstream: true }]);
    expect(await check('/healthz')).toEqual([200, { alive: true }]);
  });

  it.each([null, 'wrong'])('tells strangers only whether it is ready, with the token %j', async (given) => {
    expect(await check('/readyz', given)).toEqual([200, { ready: true }]);
    await bff.db.destroy();
    expect(await check('/readyz', given)).toEqual([503, { ready: false }]);
  });

  it('tells nobody more where no token is set', async () => {
    bff = await createTestDesk({ service: 'canned' });
    expect(await check('/readyz', 'undefined')).toEqual([200, { ready: true }]);
  });
});
