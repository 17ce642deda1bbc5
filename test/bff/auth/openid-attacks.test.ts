import { describe, expect, test } from 'vitest';
import { pendingSignInLimits } from '../../../src/bff/auth/openid-sign-in.ts';
import { ask, publicUrl } from '../../support/bff/browser.ts';
import {
  goToCallback,
  isInteraction,
  openSingleSignOn,
  problemAt,
  signInByProvider,
  type SingleSignOnBff,
  openBrowser,
  type Browser,
} from '../../support/bff/single-sign-on.ts';

/** Comes back from the provider's site, with any address. */
const comeBack = async (browser: Browser, url: URL) =>
  problemAt((await browser.go(url.href, undefined, 'cross-site')).url);

const nobodyIsIn = async ({ db, browser }: SingleSignOnBff) => {
  expect((await browser.ask('GET', '/bff/session')).status).toBe(401);
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
};

const changed = (url: URL, change: Record<string, string | null>) => {
  const other = new URL(url);
  for (const [name, value] of Object.entries(change))
    if (value === null) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  return other;
};

describe('the callback', () => {
  test('works once: a replay signs nobody in', async () => {
    const bff = await openSingleSignOn();
    const { url } = await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, url)).toBe(`${publicUrl}/subscribers?expired=true`);
    expect(await comeBack(bff.browser, url)).toBe('expired');
    expect(await bff.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });

  test('that comes ten times at once signs in once', async () => {
    const bff = await openSingleSignOn();
    const { url } = await goToCallback(bff.browser);
    const ends = await Promise.all(Array.from({ length: 10 }, () => comeBack(bff.browser, url)));
    expect(ends.filter((end) => end === 'expired')).toHaveLength(9);
  });

  test('is refused after ten minutes, and the pending sign-in is deleted', async () => {
    const bff = await openSingleSignOn();
    const { url } = await goToCallback(bff.browser);
    bff.time.now += pendingSignInLimits.life;
    expect(await comeBack(bff.browser, url)).toBe('expired');
    await goToCallback(bff.browser);
    bff.time.now += pendingSignInLimits.life;
    await goToCallback(bff.browser);
    expect(await bff.db.selectFrom('single_sign_ons').selectAll().execute()).toHaveLength(1);
    await nobodyIsIn(bff);
  });

  test.each([500, -500])(
    'is refused after a jump of the clock by %i days and back, and can be started again',
    async (days) => {
      const bff = await openSingleSignOn();
      const jump = days * 24 * 60 * 60_000;
      bff.time.now += jump;
      const { url } = await goToCallback(bff.browser);
      bff.time.now -= jump;
      expect(await comeBack(bff.browser, url)).toBe('expired');
      await goToCallback(bff.browser);
      expect(await bff.db.selectFrom('single_sign_ons').selectAll().execute()).toHaveLength(1);
      expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
    },
  );

  test.each([
    ['without a state', { state: null }],
    ['with a made-up state', { state: 'A'.repeat(43) }],
    ['without anything', { state: null, code: null, iss: null }],
  ])('%s leads to no session, and the right one still does', async (_, change) => {
    const bff = await openSingleSignOn();
    const { url } = await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, changed(url, change))).toBe('expired');
    await nobodyIsIn(bff);
    expect(await comeBack(bff.browser, url)).toBe(`${publicUrl}/subscribers?expired=true`);
  });

  test.each([
    ['of another provider (RFC 9207)', { iss: 'https://evil.example' }, 'untrusted'],
    ['that does not say from which provider', { iss: null }, 'untrusted'],
    ['with a made-up code', { code: 'made-up' }, 'untrusted'],
    ['with an ID token in the address', { id_token: 'x' }, 'untrusted'],
    ['of somebody who cancelled', { error: 'access_denied', code: null }, 'cancelled'],
    ['with an error that we could have made', { error: 'invalid_scope', code: null }, 'misconfigured'],
    ['of a provider that is unavailable', { error: 'temporarily_unavailable', code: null }, 'unavailable'],
  ])('%s leads to no session, and cannot be repeated', async (_, change, problem) => {
    const bff = await openSingleSignOn();
    const { url } = await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, changed(url, change))).toBe(problem);
    expect(await comeBack(bff.browser, url)).toBe('expired');
    await nobodyIsIn(bff);
  });

  test('with a second code is refused', async () => {
    const bff = await openSingleSignOn();
    const { url } = await goToCallback(bff.browser);
    url.searchParams.append('code', 'another');
    expect(await comeBack(bff.browser, url)).toBe('untrusted');
  });

  test('works in each tab of a browser', async () => {
    const bff = await openSingleSignOn();
    const begin = async (to: string) => (await bff.browser.go(`/bff/oidc/start?to=${to}`, isInteraction)).url;
    const tabs = [await begin('/staff'), await begin('/subscribers')];
    for (const tab of tabs) tab.searchParams.set('login', 'sub-1');
    const ends = [];
    for (const tab of tabs) ends.push((await bff.browser.go(tab.href)).url.href);
    expect(ends).toEqual([`${publicUrl}/staff`, `${publicUrl}/subscribers`]);
  });

  test('that was begun in another browser signs nobody in', async () => {
    const bff = await openSingleSignOn();
    const attacker = openBrowser(bff.fetch);
    const { url } = await goToCallback(attacker);
    expect(await comeBack(bff.browser, url)).toBe('expired');
    // The victim is on the way too, and has a cookie of the same name.
    await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, url)).toBe('expired');
    await nobodyIsIn(bff);
  });

  test('with the code of somebody else is refused by PKCE', async () => {
    const bff = await openSingleSignOn();
    bff.provider.people['sub-2'] = { preferred_username: 'attacker', roles: 'manager' };
    const stolen = (await goToCallback(openBrowser(bff.fetch), 'sub-2')).url.searchParams.get('code');
    const { url } = await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, changed(url, { code: stolen }))).toBe('untrusted');
    await nobodyIsIn(bff);
  });

  test('can be handled by another replica', async () => {
    const bff = await openSingleSignOn();
    const other = bff.openReplica();
    const { url } = await goToCallback(bff.browser);
    bff.browser.use(other.fetch);
    expect(await comeBack(bff.browser, url)).toBe(`${publicUrl}/subscribers?expired=true`);
    expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(200);
    bff.browser.use(bff.fetch);
    expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(200);
    expect(await comeBack(bff.browser, url)).toBe('expired');
  });
});

describe('an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000);

  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>, string]>([
    ['for another sign-in (nonce)', (claims) => ({ ...claims, nonce: 'another' }), 'untrusted'],
    ['without a nonce', (claims) => ({ ...claims, nonce: undefined }), 'untrusted'],
    ['for another client', (claims) => ({ ...claims, aud: 'another' }), 'untrusted'],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' }), 'untrusted'],
    ['that has run out', (claims) => ({ ...claims, exp: now() - 3600, iat: now() - 7200 }), 'clock'],
    ['that is not valid yet', (claims) => ({ ...claims, nbf: now() + 3600 }), 'clock'],
    ['of nobody', (claims) => ({ ...claims, sub: undefined }), 'untrusted'],
    ['as it should be', (claims) => claims, `${publicUrl}/subscribers?expired=true`],
  ])('%s', async (_, change, end) => {
    const bff = await openSingleSignOn({ claimsInIdToken: true });
    bff.exchangeIdToken(async (claims) => bff.provider.sign(change(claims)));
    expect(problemAt(await signInByProvider(bff.browser))).toBe(end);
  });

  test.each<[string, (token: string) => string]>([
    [
      'with a word changed',
      (token) => {
        const [header, , signature] = token.split('.');
        const claims = { ...payloadOf(token), roles: ['manager'] };
        return [header, encode(claims), signature].join('.');
      },
    ],
    ['without a signature', (token) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.`],
  ])('%s is refused', async (_, change) => {
    const bff = await openSingleSignOn({ claimsInIdToken: true });
    bff.exchangeIdToken(async (_claims, token) => change(token));
    expect(problemAt(await signInByProvider(bff.browser))).toBe('untrusted');
    await nobodyIsIn(bff);
  });
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '',
])('a start that would lead to %j leads to the overview', async (to) => {
  const bff = await openSingleSignOn();
  expect((await signInByProvider(bff.browser, 'sub-1', to)).href).toBe(`${publicUrl}/`);
});

test('the pending sign-ins of an IPv6 client count for its whole network', async () => {
  const bff = await openSingleSignOn();
  const start = (address: string) =>
    bff.fetch(ask('GET', '/bff/oidc/start', { headers: { 'X-CSRF': null, 'Sec-Fetch-Site': 'none' } }), {
      address,
    });
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) await start(address);
  const rows = await bff.db.selectFrom('single_sign_ons').select('address').orderBy('address').execute();
  expect(rows.map(({ address }) => address)).toEqual([
    '2001:db8:0:0::/64',
    '2001:db8:0:0::/64',
    '2001:db8:0:1::/64',
  ]);
});

test('the number of pending sign-ins from one address is limited', async () => {
  const bff = await openSingleSignOn();
  const starts = Array.from({ length: pendingSignInLimits.address + 1 }, () =>
    openBrowser(bff.fetch).go('/bff/oidc/start', ({ origin }) => origin !== publicUrl),
  );
  const ends = (await Promise.all(starts)).map(({ url }) =>
    url.origin === publicUrl ? problemAt(url) : 'on',
  );
  expect(ends.filter((end) => end === 'too-many').length).toBeGreaterThan(0);
  expect(await bff.db.selectFrom('single_sign_ons').select('key').execute()).toHaveLength(
    ends.filter((end) => end === 'on').length,
  );
  bff.time.now += pendingSignInLimits.life;
  expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
