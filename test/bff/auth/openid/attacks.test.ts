import { beforeEach, describe, expect, it, test } from 'vitest';
import { pendingSignInLimits } from '../../../../src/bff/auth/openid/pending-sign-ins.ts';
import { ask, publicUrl } from '../../../support/bff/browser.ts';
import { isIn } from '../../../support/bff/person.ts';
import {
  comeBack,
  goToCallback,
  goToProvider,
  isInteraction,
  openBrowser,
  openSingleSignOn,
  problemAt,
  signInByProvider,
  type SingleSignOnBff,
} from '../../../support/bff/single-sign-on.ts';

const there = `${publicUrl}/subscribers?expired=true`;

let bff: SingleSignOnBff;
beforeEach(async () => {
  bff = await openSingleSignOn({ claimsInIdToken: true });
});

const nobodyIsIn = async () =>
  expect([await isIn(bff.browser), await bff.rows('sessions')]).toEqual([false, []]);

const changed = (url: URL, change: Record<string, string | null>) => {
  const other = new URL(url);
  for (const [name, value] of Object.entries(change))
    if (value === null) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  return other;
};

/** Gets as far as the callback, in a browser that has not been there yet. */
async function goToCallbackAnew() {
  const browser = openBrowser(bff.fetch);
  return { browser, url: (await goToCallback(browser)).url };
}

describe('the callback', () => {
  it('leads back to the page that was asked for, which the table does not show', async () => {
    const path = '/subscribers?username=canary-anna';
    const { url } = await goToCallback(bff.browser, 'sub-1', path);
    expect(JSON.stringify(await bff.rows('single_sign_ons'))).not.toContain('canary');
    expect(await comeBack(bff.browser, url)).toBe(`${publicUrl}${path}`);
  });

  it('works once, however many come at once: a replay signs nobody in', async () => {
    const { url } = await goToCallback(bff.browser);
    const ends = await Promise.all(Array.from({ length: 10 }, () => comeBack(bff.browser, url)));
    expect(ends.filter((end) => end === 'expired')).toHaveLength(9);
    expect(await comeBack(bff.browser, url)).toBe('expired');
    expect(await bff.rows('sessions')).toHaveLength(1);
  });

  it('asks the provider once for each sign-in, whatever follows from its state', async () => {
    const { url } = await goToCallback(bff.browser);
    const state = url.searchParams.get('state');
    await comeBack(bff.browser, changed(url, { code: 'made-up' }));
    bff.requested.length = 0;
    for (const made of [`ended ${state}`, `ended ended ${state}`])
      expect(await comeBack(bff.browser, changed(url, { code: 'made-up', state: made }))).toBe('expired');
    expect(bff.requested).toEqual([]);
  });

  it('is refused after ten minutes, and the pending sign-in is deleted', async () => {
    const { url } = await goToCallback(bff.browser);
    bff.time.now += pendingSignInLimits.life;
    expect(await comeBack(bff.browser, url)).toBe('expired');
    await goToCallback(bff.browser);
    bff.time.now += pendingSignInLimits.life;
    await bff.runMaintenance();
    await goToCallback(bff.browser);
    expect(await bff.rows('single_sign_ons')).toHaveLength(1);
    await nobodyIsIn();
  });

  it.each([500, -500])(
    'is refused after a jump of the clock by %i days and back, and can be started again',
    async (days) => {
      const jump = days * 24 * 60 * 60_000;
      bff.time.now += jump;
      const { url } = await goToCallback(bff.browser);
      bff.time.now -= jump;
      expect(await comeBack(bff.browser, url)).toBe('expired');
      await bff.runMaintenance();
      await goToCallback(bff.browser);
      expect(await bff.rows('single_sign_ons')).toHaveLength(1);
      expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
    },
  );

  it('leads to no session with a state that is none, and the right one still does', async () => {
    const made = { state: 'A'.repeat(43) };
    for (const change of [{ state: null }, made, { state: null, code: null, iss: null }]) {
      const { browser, url } = await goToCallbackAnew();
      expect([await comeBack(browser, changed(url, change)), await isIn(browser)]).toEqual([
        'expired',
        false,
      ]);
      expect(await comeBack(browser, url)).toBe(there);
    }
  });

  it('leads to no session where anything else is wrong, and cannot be repeated', async () => {
    const wrong: Record<string, Record<string, string | null>> = {
      'untrusted: another provider (RFC 9207)': { iss: 'https://evil.example' },
      'untrusted: no provider': { iss: null },
      'untrusted: a made-up code': { code: 'made-up' },
      'untrusted: an ID token in the address': { id_token: 'x' },
      'cancelled: by the user': { error: 'access_denied', code: null },
      'misconfigured: an error that we could have made': { error: 'invalid_scope', code: null },
      'unavailable: the provider': { error: 'temporarily_unavailable', code: null },
    };
    for (const [what, change] of Object.entries(wrong)) {
      const { browser, url } = await goToCallbackAnew();
      expect(await comeBack(browser, changed(url, change)), what).toBe(what.split(':')[0]);
      expect(await comeBack(browser, url)).toBe('expired');
    }
    const { browser, url } = await goToCallbackAnew();
    url.searchParams.append('code', 'a second one');
    expect(await comeBack(browser, url)).toBe('untrusted');
    await nobodyIsIn();
  });

  it('works in each tab of a browser, and returns to no path that is longer than 2,048 characters', async () => {
    const begin = async (to: string) => (await bff.browser.go(`/bff/oidc/start?to=${to}`, isInteraction)).url;
    const longest = `/${'a'.repeat(2047)}`;
    const tabs = [await begin('/staff'), await begin(longest), await begin(`${longest}a`)];
    const ends: string[] = [];
    for (const tab of tabs) ends.push((await bff.browser.go(`${tab.href}?login=sub-1`)).url.href);
    expect(ends).toEqual([`${publicUrl}/staff`, `${publicUrl}${longest}`, `${publicUrl}/`]);
  });

  it('signs nobody in that was begun in another browser', async () => {
    const { url } = await goToCallbackAnew();
    expect(await comeBack(bff.browser, url)).toBe('expired');
    // The victim is on the way too, and has a cookie of the same name.
    await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, url)).toBe('expired');
    await nobodyIsIn();
  });

  it('is refused with the code of somebody else, by PKCE', async () => {
    bff.provider.people['sub-2'] = { preferred_username: 'attacker', roles: 'manager' };
    const stolen = (await goToCallback(openBrowser(bff.fetch), 'sub-2')).url.searchParams.get('code');
    const { url } = await goToCallback(bff.browser);
    expect(await comeBack(bff.browser, changed(url, { code: stolen }))).toBe('untrusted');
    await nobodyIsIn();
  });

  it('can be handled by another replica', async () => {
    const { url } = await goToCallback(bff.browser);
    bff.browser.use(bff.openReplica().fetch);
    expect([await comeBack(bff.browser, url), await isIn(bff.browser)]).toEqual([there, true]);
    bff.browser.use(bff.fetch);
    expect([await isIn(bff.browser), await comeBack(bff.browser, url)]).toEqual([true, 'expired']);
  });
});

describe('an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000);

  it('signs in only as it should be, and signed', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const parts: Record<string, (claims: object, token: string) => string | Promise<string>> = {
      'untrusted: a claim changed': (claims, token) =>
        token.replace(/\..*\./, `.${encode({ ...claims, roles: ['manager'] })}.`),
      'untrusted: no signature': (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    };
    const changes: Record<string, object> = {
      'untrusted: for another sign-in': { nonce: 'another' },
      'untrusted: without a nonce': { nonce: undefined },
      'untrusted: for another client': { aud: 'another' },
      'untrusted: of another issuer': { iss: 'https://evil.example' },
      'untrusted: of nobody': { sub: undefined },
      'clock: that has run out': { exp: now() - 3600, iat: now() - 7200 },
      'clock: that is not valid yet': { nbf: now() + 3600 },
    };
    for (const [what, change] of Object.entries(changes))
      parts[what] = (claims) => bff.provider.sign({ ...claims, ...change });
    for (const [what, change] of Object.entries(parts)) {
      bff.exchangeIdToken(async (claims, token) => change(claims, token));
      expect(problemAt(await signInByProvider(openBrowser(bff.fetch))), what).toBe(what.split(':')[0]);
    }
    await nobodyIsIn();
    bff.exchangeIdToken((claims) => bff.provider.sign(claims));
    expect(problemAt(await signInByProvider(bff.browser))).toBe(there);
  });
});

test('a start that would lead elsewhere leads to the overview', async () => {
  const elsewhere = ['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example'];
  for (const to of [...elsewhere, 'javascript:alert(1)', ''])
    expect((await signInByProvider(openBrowser(bff.fetch), 'sub-1', to)).href).toBe(`${publicUrl}/`);
});

test('the pending sign-ins of an IPv6 client count for its whole network', async () => {
  const headers = { 'X-CSRF': null, 'Sec-Fetch-Site': 'none' };
  for (const address of ['2001:db8::1', '2001:db8:0:1::2', '2001:db8:1::1'])
    await bff.fetch(ask('GET', '/bff/oidc/start', { headers }), { address });
  const addresses = (await bff.rows('single_sign_ons')).map(({ address }) => address);
  const network = '2001:db8:0::/48';
  expect(addresses.toSorted()).toEqual([network, network, '2001:db8:1::/48']);
});

test('sign-ins from one address that fail count as long as pending ones, and those that succeed do not', async () => {
  for (let count = 1; count < pendingSignInLimits.address; count += 1) {
    const state = (await goToProvider(bff.browser)).searchParams.get('state');
    const back = new URL(`${publicUrl}/bff/oidc/callback?error=access_denied&iss=${bff.provider.issuer}`);
    expect(await comeBack(bff.browser, changed(back, { state }))).toBe('cancelled');
  }
  for (let count = 0; count < 2; count += 1)
    expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
  await goToProvider(bff.browser);
  expect(problemAt(await goToProvider(bff.browser))).toBe('too-many');
});

test('a start from an address where too many are pending writes nothing, and none reads what others have pending', async () => {
  const headers = { 'X-CSRF': null, 'Sec-Fetch-Site': 'none' };
  const statements: string[] = [];
  const db = bff.db.withPlugin({
    transformQuery: ({ node }) => (statements.push(node.kind), node),
    transformResult: async ({ result }) => result,
  });
  const other = bff.openReplica({ db });
  const start = async () => {
    statements.length = 0;
    const answer = await other.fetch(ask('GET', '/bff/oidc/start', { headers }));
    return new URL(answer.headers.get('Location') ?? '', publicUrl).searchParams.get('problem');
  };
  for (let count = 0; count < pendingSignInLimits.address; count += 1) expect(await start()).toBeNull();
  expect(new Set(statements)).toEqual(new Set(['SelectQueryNode', 'InsertQueryNode']));
  expect(await start()).toBe('too-many');
  expect(statements).toEqual(['SelectQueryNode']);
  bff.time.now += pendingSignInLimits.life;
  expect(await start()).toBeNull();
});
