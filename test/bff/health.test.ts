import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../support/desk.ts';
import { ask } from '../support/bff/browser.ts';

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
});

/** As a load balancer asks: without a session and without our header. */
const check = async (path: string) => {
  const response = await bff.fetch(ask('GET', path, { headers: { 'X-CSRF': null, 'Sec-Fetch-Site': null } }));
  return [response.status, await response.json()];
};

describe('the server', () => {
  test('is ready when its database answers and a token can be had', async () => {
    expect(await check('/readyz')).toEqual([200, { database: true, upstream: true }]);
    expect(bff.upstream.tokenCalls).toHaveLength(1);
  });

  test('is alive but not ready while the service is away, and ready again when it is back', async () => {
    bff.upstream.token = () => Promise.reject(new TypeError('connect ECONNREFUSED'));
    expect(await check('/readyz')).toEqual([503, { database: true, upstream: false }]);
    expect(await check('/healthz')).toEqual([200, { alive: true }]);
    bff.upstream.token = () => Response.json({ access_token: 'x', token_type: 'bearer' });
    expect(await check('/readyz')).toEqual([200, { database: true, upstream: true }]);
  });

  test('is alive but not ready while it shuts down', async () => {
    bff = await createTestDesk({ service: 'canned', isStopping: () => true });
    expect(await check('/readyz')).toEqual([503, { database: true, upstream: true, leaving: true }]);
    expect(await check('/healthz')).toEqual([200, { alive: true }]);
  });

  test('is alive but not ready without its database', async () => {
    await bff.db.destroy();
    expect(await check('/readyz')).toEqual([503, { database: false, upstream: true }]);
    expect(await check('/healthz')).toEqual([200, { alive: true }]);
  });
});
