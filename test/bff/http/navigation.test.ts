import { beforeAll, describe, expect, it, test } from 'vitest';
import { backChannel, navigations } from '../../../src/contract/bff/single-sign-on.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn, type HeaderChanges, outcomeOf, publicUrl } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';
import { openSingleSignOn, type SingleSignOnBff } from '../../support/bff/single-sign-on.ts';

const byLink: HeaderChanges = {
  'X-CSRF': null,
  'Sec-Fetch-Site': null,
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};
const { startSingleSignOn: start, finishSingleSignOn: finish } = navigations;

let bff: SingleSignOnBff;
beforeAll(async () => {
  bff = await openSingleSignOn();
});

const answerTo = (path: string, headers: HeaderChanges, method = 'GET') =>
  bff.fetch(ask(method, path, { headers: { ...byLink, ...headers } }));

describe('the navigation', () => {
  it('is all that goes without our header under /api and /bff', async () => {
    const open: string[] = [];
    for (const { method, path } of [
      ...everyRoute,
      ...Object.values(navigations),
      ...Object.values(backChannel),
    ])
      if ((await answerTo(path, { 'Sec-Fetch-Site': 'none' }, method)).status !== 403) open.push(path);
    expect(open).toEqual(['/bff/oidc/start', '/bff/oidc/callback']);
  });

  it.each([
    ['from our own site', start.path, { 'Sec-Fetch-Site': 'same-origin' }],
    ['by the address bar', start.path, { 'Sec-Fetch-Site': 'none' }],
    ['in a browser that says nothing', start.path, { 'Sec-Fetch-Mode': null, 'Sec-Fetch-Dest': null }],
    ['from the provider', finish.path, { 'Sec-Fetch-Site': 'cross-site' }],
    ['from a provider on a sibling domain', finish.path, { 'Sec-Fetch-Site': 'same-site' }],
  ])('leads on %s', async (_, path, headers) => {
    expect((await answerTo(path, headers)).status).toBe(303);
  });

  it.each([
    ['a link of another site', start.path, { 'Sec-Fetch-Site': 'cross-site' }],
    ['a link of a sibling', start.path, { 'Sec-Fetch-Site': 'same-site' }],
    ['a script', start.path, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    ['a script that says it is a page', start.path, { 'Sec-Fetch-Mode': 'cors' }],
    ['a frame at the start', start.path, { 'Sec-Fetch-Dest': 'iframe' }],
    ['an image', finish.path, { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame at the end', finish.path, { 'Sec-Fetch-Dest': 'iframe' }],
  ])('is refused to %s', async (_, path, headers) => {
    const answer = await answerTo(path, headers);
    expect([await outcomeOf(answer), answer.headers.get('Set-Cookie')]).toEqual(['403 cross-site', null]);
  });

  it.each(Object.values(navigations))('takes no method but GET at $path', async ({ path }) => {
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await answerTo(path, {}, method);
      expect([answer.status, answer.headers.get('Allow')], method).toEqual([405, 'GET']);
    }
  });

  it.each(Object.values(navigations))('is for this host alone, and kept by no cache: $path', async (row) => {
    expect((await answerTo(row.path, { Host: 'evil.test' })).status).toBe(421);
    const { headers } = await answerTo(row.path, {});
    expect([headers.get('Cache-Control'), headers.get('Referrer-Policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
  });

  it('leads nowhere without a provider, and in a tab', async () => {
    const transport = { kind: 'tab', staff: { name: 'Kari', role: 'viewer' } } as const;
    const { singleSignOn } = bff;
    for (const other of [await createTestDesk(), await createTestDesk({ transport, singleSignOn })]) {
      for (const { path } of Object.values(navigations))
        expect(await codeIn(await other.fetch(ask('GET', path, { headers: byLink })))).toBe(
          'no-such-address',
        );
      const ways = await other.fetch(ask('GET', '/bff/sign-in-ways'));
      expect(await ways.json()).toMatchObject({ singleSignOn: false });
    }
  });
});

test('a start at another spelling of the address leads to the sign-in page of the right one', async () => {
  const request = ask('GET', `${start.path}?to=%2Fstaff`, { base: 'http://localhost:8080', headers: byLink });
  const answer = await bff.fetch(request);
  expect(answer.headers.get('Location')).toBe(`${publicUrl}/sign-in?from=%2Fstaff`);
});

test.each([
  [publicUrl, 'desk-oidc', ''],
  ['https://desk.test', '__Host-Http-desk-oidc', '; Secure'],
])(
  'the cookie that binds a sign-in at %s to its browser is no script’s to read, and gone after ten minutes',
  async (url, name, end) => {
    const { singleSignOn } = bff;
    const other = await createTestDesk({ transport: { kind: 'http', publicUrl: url }, singleSignOn });
    const answer = await other.fetch(ask('GET', start.path, { base: url, headers: byLink }));
    const [pair, ...attributes] = (answer.headers.get('Set-Cookie') ?? '').split('; ');
    expect(pair).toMatch(new RegExp(`^${name}=[\\w-]{43}$`));
    expect(attributes.join('; ')).toBe(`Max-Age=600; Path=/; HttpOnly; SameSite=Lax${end}`);
    const stored = JSON.stringify(await other.rows('single_sign_ons'));
    expect(stored).not.toContain(pair?.split('=')[1] ?? 'no cookie');
  },
);
