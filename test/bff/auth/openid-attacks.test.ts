import { describe, expect, test } from 'vitest';
import { pendingSignInLimits } from '../../../src/bff/auth/openid-sign-in.ts';
import { publicUrl } from '../../support/bff/desk.ts';
import {
  arrive,
  isInteraction,
  openSingleSignOn,
  problemAt,
  travel,
  type SingleSignOnDesk,
} from '../../support/bff/single-sign-on.ts';
import { createTraveller, type Traveller } from '../../support/bff/traveller.ts';

/** Comes back with an address of one's own choice, from the other site. */
const comeBack = async (traveller: Traveller, url: URL) =>
  problemAt((await traveller.go(url.href, undefined, 'cross-site')).url);

const nobodyIsIn = async ({ db, traveller }: SingleSignOnDesk) => {
  expect((await traveller.ask('GET', '/bff/session')).status).toBe(401);
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
};

const changed = (url: URL, change: Record<string, string | null>) => {
  const other = new URL(url);
  for (const [name, value] of Object.entries(change))
    if (value === null) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  return other;
};

describe('a way back', () => {
  test('is gone once: a replay signs nobody in', async () => {
    const desk = await openSingleSignOn();
    const { url } = await arrive(desk.traveller);
    expect(await comeBack(desk.traveller, url)).toBe(`${publicUrl}/subscribers?expired=true`);
    expect(await comeBack(desk.traveller, url)).toBe('expired');
    expect(await desk.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });

  test('that is gone many times at the same moment signs in once', async () => {
    const desk = await openSingleSignOn();
    const { url } = await arrive(desk.traveller);
    const ends = await Promise.all(Array.from({ length: 10 }, () => comeBack(desk.traveller, url)));
    expect(ends.filter((end) => end === 'expired')).toHaveLength(9);
  });

  test('is closed after ten minutes, and what was begun is forgotten', async () => {
    const desk = await openSingleSignOn();
    const { url } = await arrive(desk.traveller);
    desk.time.now += pendingSignInLimits.life;
    expect(await comeBack(desk.traveller, url)).toBe('expired');
    await arrive(desk.traveller);
    desk.time.now += pendingSignInLimits.life;
    await arrive(desk.traveller);
    expect(await desk.db.selectFrom('single_sign_ons').selectAll().execute()).toHaveLength(1);
    await nobodyIsIn(desk);
  });

  test.each([
    ['without a state', { state: null }],
    ['with a made-up state', { state: 'A'.repeat(43) }],
    ['without anything', { state: null, code: null, iss: null }],
  ])('%s leads to no session, and the right one still does', async (_, change) => {
    const desk = await openSingleSignOn();
    const { url } = await arrive(desk.traveller);
    expect(await comeBack(desk.traveller, changed(url, change))).toBe('expired');
    await nobodyIsIn(desk);
    expect(await comeBack(desk.traveller, url)).toBe(`${publicUrl}/subscribers?expired=true`);
  });

  test.each([
    ['of another provider (RFC 9207)', { iss: 'https://evil.example' }, 'untrusted'],
    ['that does not say from which provider', { iss: null }, 'untrusted'],
    ['with a made-up code', { code: 'made-up' }, 'untrusted'],
    ['with an ID token in the address', { id_token: 'x' }, 'untrusted'],
    ['of somebody who cancelled', { error: 'access_denied', code: null }, 'cancelled'],
    ['with an error that we could have made', { error: 'invalid_scope', code: null }, 'misconfigured'],
    ['of a provider in trouble', { error: 'temporarily_unavailable', code: null }, 'unavailable'],
  ])('%s leads to no session, and cannot be mended', async (_, change, problem) => {
    const desk = await openSingleSignOn();
    const { url } = await arrive(desk.traveller);
    expect(await comeBack(desk.traveller, changed(url, change))).toBe(problem);
    expect(await comeBack(desk.traveller, url)).toBe('expired');
    await nobodyIsIn(desk);
  });

  test('with a second state or code is not guessed at', async () => {
    const desk = await openSingleSignOn();
    const { url } = await arrive(desk.traveller);
    url.searchParams.append('code', 'another');
    expect(await comeBack(desk.traveller, url)).toBe('untrusted');
  });

  test('is open in each tab of a browser', async () => {
    const desk = await openSingleSignOn();
    const begin = async (to: string) =>
      (await desk.traveller.go(`/bff/oidc/start?to=${to}`, isInteraction)).url;
    const tabs = [await begin('/staff'), await begin('/subscribers')];
    for (const tab of tabs) tab.searchParams.set('login', 'sub-1');
    const ends = [];
    for (const tab of tabs) ends.push((await desk.traveller.go(tab.href)).url.href);
    expect(ends).toEqual([`${publicUrl}/staff`, `${publicUrl}/subscribers`]);
  });

  test('that was begun in another browser signs nobody in', async () => {
    const desk = await openSingleSignOn();
    const attacker = createTraveller(desk.fetch);
    const { url } = await arrive(attacker);
    expect(await comeBack(desk.traveller, url)).toBe('expired');
    // The victim is on the way too, and has a cookie of the same name.
    await arrive(desk.traveller);
    expect(await comeBack(desk.traveller, url)).toBe('expired');
    await nobodyIsIn(desk);
  });

  test('with the code of somebody else is refused by PKCE', async () => {
    const desk = await openSingleSignOn();
    desk.provider.people['sub-2'] = { preferred_username: 'attacker', roles: 'manager' };
    const stolen = (await arrive(createTraveller(desk.fetch), 'sub-2')).url.searchParams.get('code');
    const { url } = await arrive(desk.traveller);
    expect(await comeBack(desk.traveller, changed(url, { code: stolen }))).toBe('untrusted');
    await nobodyIsIn(desk);
  });

  test('is found by another replica of the desk', async () => {
    const desk = await openSingleSignOn();
    const other = desk.openReplica();
    const { url } = await arrive(desk.traveller);
    desk.traveller.use(other.fetch);
    expect(await comeBack(desk.traveller, url)).toBe(`${publicUrl}/subscribers?expired=true`);
    expect((await desk.traveller.ask('GET', '/bff/session')).status).toBe(200);
    desk.traveller.use(desk.fetch);
    expect((await desk.traveller.ask('GET', '/bff/session')).status).toBe(200);
    expect(await comeBack(desk.traveller, url)).toBe('expired');
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
    const desk = await openSingleSignOn({ claimsInIdToken: true });
    desk.exchangeIdToken(async (claims) => desk.provider.sign(change(claims)));
    expect(problemAt(await travel(desk.traveller))).toBe(end);
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
  ])('%s is not believed', async (_, change) => {
    const desk = await openSingleSignOn({ claimsInIdToken: true });
    desk.exchangeIdToken(async (_claims, token) => change(token));
    expect(problemAt(await travel(desk.traveller))).toBe('untrusted');
    await nobodyIsIn(desk);
  });
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '',
])('a start that would lead to %j leads to the front door', async (to) => {
  const desk = await openSingleSignOn();
  expect((await travel(desk.traveller, 'sub-1', to)).href).toBe(`${publicUrl}/`);
});

test('from one address only so many sign-ins are under way', async () => {
  const desk = await openSingleSignOn();
  const starts = Array.from({ length: pendingSignInLimits.address + 1 }, () =>
    createTraveller(desk.fetch).go('/bff/oidc/start', ({ origin }) => origin !== publicUrl),
  );
  const ends = (await Promise.all(starts)).map(({ url }) =>
    url.origin === publicUrl ? problemAt(url) : 'on',
  );
  expect(ends.filter((end) => end === 'too-many').length).toBeGreaterThan(0);
  expect(await desk.db.selectFrom('single_sign_ons').select('key').execute()).toHaveLength(
    ends.filter((end) => end === 'on').length,
  );
  desk.time.now += pendingSignInLimits.life;
  expect((await travel(desk.traveller)).pathname).toBe('/subscribers');
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
