import { beforeEach, describe, expect, test } from 'vitest';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { bffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { upstreamBase } from '../../support/bff/upstream.ts';
import { everyRoute } from '../../support/bff/routes.ts';

let bff: TestDesk;
let headers: { Cookie: string };

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  headers = { Cookie: (await bff.signIn('manager')).cookie() };
});

const spellings = [
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2f',
  '..%2foauth%2ftoken',
  '%252e%252e%252f',
  '%2F',
  '%5C',
  '..%5c..',
  '7;x',
  '7%00',
  '7%2Fregenerate-token',
  '7%3FUsername=x',
  '7%23',
  '%ff',
  '%zz',
  '7%20',
  '%37%2e0',
  'http:%2F%2Fevil.test',
  '-1',
  '0',
  '07',
  '9007199254740993',
];

describe('an odd spelling of a path', () => {
  test.each(spellings)('(%s) reaches nothing upstream as an id', async (spelling) => {
    const answers = [
      bff.fetch(ask('DELETE', `/api/subscribers/${spelling}`, { headers })),
      bff.fetch(ask('POST', `/api/subscribers/${spelling}/regenerate-token`, { headers })),
      bff.fetch(ask('PUT', `/api/subscribers/${spelling}`, { headers, body: { note: '' } })),
    ];
    for (const { status } of await Promise.all(answers)) expect([400, 404, 405, 422]).toContain(status);
    expect(bff.upstream.calls).toEqual([]);
  });

  test.each([
    '//api/subscribers',
    '/%61pi/subscribers',
    '/API/subscribers',
    '/api%2Fsubscribers',
    '/x/..;/api/subscribers',
  ])('(%s) is a page and no data', async (path) => {
    expect(await (await bff.fetch(ask('GET', path, { headers }))).text()).toBe('page');
    expect(bff.upstream.calls).toEqual([]);
  });

  test.each([
    '/api/subscribers/',
    '/api//subscribers',
    '/api/subscribers/7/',
    '/api/oauth/token',
    '/api/openapi.json',
  ])('(%s) is no address of the BFF', async (path) => {
    expect(await codeIn(await bff.fetch(ask('GET', path, { headers })))).toBe('no-such-address');
    expect(bff.upstream.calls).toEqual([]);
  });

  test('of an id that is one goes upstream as the number that it is', async () => {
    await bff.fetch(ask('DELETE', '/api/x/../subscribers/%37?x=%2e%2e#y', { headers }));
    expect(bff.upstream.calls).toMatchObject([{ method: 'DELETE', url: `${upstreamBase}/subscribers/7` }]);
  });

  test.each(['a/b', '../x', 'a?b#c', '%2e%2e', 'a b', '\\', 'é', '//evil.test'])(
    'as a token (%s) stays one segment',
    async (accessToken) => {
      await bff.fetch(ask('POST', '/bff/find-by-token', { headers, body: { accessToken } }));
      const url = `${upstreamBase}/subscribers/by-token/${encodeURIComponent(accessToken)}`;
      expect(bff.upstream.calls.map((call) => call.url)).toEqual([url]);
    },
  );

  test.each(['.', '..', '', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(257)])(
    'as a token that no path can hold (%j) sends no request',
    async (accessToken) => {
      const response = await bff.fetch(ask('POST', '/bff/find-by-token', { headers, body: { accessToken } }));
      expect(response.status).toBe(422);
      expect(bff.upstream.calls).toEqual([]);
    },
  );
});

describe('an address', () => {
  test('that is not there is a 404', async () => {
    for (const path of ['/api', '/bff', '/api/nothing', '/bff/nothing', '/api/subscribers/by-token/abc']) {
      const response = await bff.fetch(ask('GET', path, { headers }));
      expect([response.status, await codeIn(response)]).toEqual([404, 'no-such-address']);
    }
  });

  test.each(everyRoute)('names the methods of $path to any other', async ({ path, template }) => {
    const methods = everyRoute.filter((route) => route.template === template).map(({ method }) => method);
    const wanted = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const response = await bff.fetch(ask('PATCH', path, { headers }));
    expect([response.status, await codeIn(response)]).toEqual([405, 'method-not-allowed']);
    expect(response.headers.get('Allow')?.split(', ').toSorted()).toEqual(wanted.toSorted());
  });

  test('that takes GET takes HEAD as well', async () => {
    for (const { path } of everyRoute.filter(({ method }) => method === 'GET')) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => bff.fetch(ask(method, path, { headers }))),
      );
      expect([head?.status, head?.headers.get('Content-Type')], path).toEqual([
        get?.status,
        get?.headers.get('Content-Type'),
      ]);
    }
  });

  test('of every row of the two tables is data, which only our own page may ask for', async () => {
    const underApi = Object.values(proxiedApi).map((row) => ({ ...row, path: apiBase + row.path }));
    const rows = [...Object.values(bffApi), ...underApi];
    expect(rows.length).toBeGreaterThan(10);
    for (const { method, path } of rows) {
      const response = await bff.fetch(ask(method, path, { headers: { 'X-CSRF': null } }));
      expect([path, await codeIn(response)]).toEqual([path, 'cross-site']);
    }
  });

  test('of a page or a health check takes GET and HEAD only', async () => {
    for (const path of ['/', '/assets/x.js', '/healthz', '/readyz']) {
      const response = await bff.fetch(ask('POST', path));
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
      expect((await bff.fetch(ask('HEAD', path))).status).toBe(200);
    }
  });
});
