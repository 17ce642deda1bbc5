import { describe, expect, test } from 'vitest';
import { backChannel } from '../../../src/contract/bff/back-channel.ts';
import { navigations } from '../../../src/contract/bff/single-sign-on.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn, type HeaderChanges, publicUrl } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';
import { openSingleSignOn } from '../../support/bff/single-sign-on.ts';

const bare: HeaderChanges = { 'X-CSRF': null, 'Sec-Fetch-Site': null };
const byLink = { ...bare, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const { startSingleSignOn: start, finishSingleSignOn: finish } = navigations;

const answerTo = async (path: string, headers: HeaderChanges, method = 'GET') => {
  const { fetch } = await openSingleSignOn();
  return fetch(ask(method, path, { headers: { ...byLink, ...headers } }));
};

describe('the navigations', () => {
  test('are all that goes without our header under /api and /bff', async () => {
    const bff = await openSingleSignOn();
    const routes = [...everyRoute, ...Object.values(navigations), ...Object.values(backChannel)];
    const open: string[] = [];
    for (const { method, path } of routes) {
      const answer = await bff.fetch(ask(method, path, { headers: { ...byLink, 'Sec-Fetch-Site': 'none' } }));
      if (answer.status !== 403) open.push(path);
    }
    expect(open).toEqual(['/bff/oidc/start', '/bff/oidc/callback']);
  });

  test.each([
    ['from our own site', start.path, { 'Sec-Fetch-Site': 'same-origin' }],
    ['by the address bar', start.path, { 'Sec-Fetch-Site': 'none' }],
    ['in a browser that says nothing', start.path, { 'Sec-Fetch-Mode': null, 'Sec-Fetch-Dest': null }],
    ['from the provider', finish.path, { 'Sec-Fetch-Site': 'cross-site' }],
    ['from a provider on a sibling domain', finish.path, { 'Sec-Fetch-Site': 'same-site' }],
  ])('%s lead on', async (_, path, headers) => {
    expect((await answerTo(path, headers)).status).toBe(303);
  });

  test.each([
    ['a link of another site', start.path, { 'Sec-Fetch-Site': 'cross-site' }],
    ['a link of a sibling', start.path, { 'Sec-Fetch-Site': 'same-site' }],
    ['a script', start.path, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    ['a script that says it is a page', start.path, { 'Sec-Fetch-Mode': 'cors' }],
    ['a frame', start.path, { 'Sec-Fetch-Dest': 'iframe' }],
    ['an image', finish.path, { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame', finish.path, { 'Sec-Fetch-Dest': 'iframe' }],
  ])('are refused to %s', async (_, path, headers) => {
    const answer = await answerTo(path, headers);
    expect([answer.status, await codeIn(answer), answer.headers.get('Set-Cookie')]).toEqual([
      403,
      'cross-site',
      null,
    ]);
  });

  test.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('take no %s', async (method) => {
    for (const { path } of Object.values(navigations)) {
      const answer = await answerTo(path, {}, method);
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET']);
    }
  });

  test('are for this host alone, and kept by no cache', async () => {
    for (const { path } of Object.values(navigations)) {
      expect((await answerTo(path, { Host: 'evil.test' })).status).toBe(421);
      const answer = await answerTo(path, {});
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    }
  });

  test('lead nowhere without a provider, and in a tab', async () => {
    const transport = { kind: 'tab', staff: { name: 'Kari', role: 'viewer' } } as const;
    const { singleSignOn } = await openSingleSignOn();
    for (const bff of [await createTestDesk(), await createTestDesk({ transport, singleSignOn })]) {
      for (const { path } of Object.values(navigations))
        expect(await codeIn(await bff.fetch(ask('GET', path, { headers: byLink })))).toBe('no-such-address');
      const ways = await bff.fetch(ask('GET', '/bff/sign-in-ways'));
      expect(await ways.json()).toMatchObject({ singleSignOn: false });
    }
  });
});

test('a start at another spelling of the address leads to the sign-in page of the right one', async () => {
  const bff = await openSingleSignOn();
  const request = ask('GET', `${start.path}?to=%2Fstaff`, { base: 'http://localhost:8080', headers: byLink });
  const answer = await bff.fetch(request);
  expect(answer.headers.get('Location')).toBe(`${publicUrl}/sign-in?from=%2Fstaff`);
});

test.each([
  [publicUrl, 'desk-oidc', ''],
  ['https://desk.test', '__Host-Http-desk-oidc', '; Secure'],
])(
  'what binds a sign-in at %s to its browser is no script’s to read, and gone after ten minutes',
  async (url, name, end) => {
    const { singleSignOn } = await openSingleSignOn();
    const bff = await createTestDesk({ transport: { kind: 'http', publicUrl: url }, singleSignOn });
    const answer = await bff.fetch(ask('GET', start.path, { base: url, headers: byLink }));
    const [pair, ...attributes] = (answer.headers.get('Set-Cookie') ?? '').split('; ');
    expect(pair).toMatch(new RegExp(`^${name}=[\\w-]{43}$`));
    expect(attributes.join('; ')).toBe(`Max-Age=600; Path=/; HttpOnly; SameSite=Lax${end}`);
    expect(JSON.stringify(await bff.db.selectFrom('single_sign_ons').selectAll().execute())).not.toContain(
      pair?.split('=')[1] ?? 'no cookie',
    );
  },
);
