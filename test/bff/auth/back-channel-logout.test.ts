import { describe, expect, test } from 'vitest';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { backChannel } from '../../../src/contract/bff/back-channel.ts';
import { ask, codeIn, publicUrl } from '../../support/bff/browser.ts';
import { openIdClient } from '../../support/bff/openid-provider.ts';
import {
  goToCallback,
  openBrowser,
  openSingleSignOn,
  problemAt,
  signInByProvider,
  type Browser,
} from '../../support/bff/single-sign-on.ts';

const { path } = backChannel.endProviderSession;
const event = 'http://schemas.openid.net/event/backchannel-logout';
const day = 24 * 60 * 60_000;

const isIn = async (browser: Browser) => (await browser.ask('GET', '/bff/session')).status === 200;

/** What the provider's server sends, and nothing that a browser adds. */
function send(body: BodyInit | null, headers: Record<string, string> = {}, method = 'POST'): Request {
  return new Request(publicUrl + path, { method, headers, ...(body !== null && { body }) });
}

const form = (token: string) => send(new URLSearchParams({ logout_token: token }));

/** Kari, signed in by the provider in a browser, and what is needed to forge tokens about her session. */
async function openSignedIn() {
  const bff = await openSingleSignOn({ backChannel: true });
  let sid = '';
  bff.exchangeIdToken(async (claims, token) => {
    sid = String(claims['sid']);
    return token;
  });
  await signInByProvider(bff.browser);
  let count = 0;
  const claims = (change: Record<string, unknown> = {}): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: bff.provider.issuer,
      aud: openIdClient.id,
      iat: now,
      exp: now + 120,
      jti: `token-${(count += 1)}`,
      events: { [event]: {} },
      sub: 'sub-1',
      sid,
      ...change,
    };
  };
  const sign = (change: Record<string, unknown> = {}, header: Partial<JWTHeaderParameters> = {}) =>
    bff.provider.sign(claims(change), { typ: 'logout+jwt', ...header });
  return {
    ...bff,
    sid: () => sid,
    claims,
    sign,
    /** The status of the answer to a token. */
    tell: async (token: string, by = bff.fetch) => (await by(form(token))).status,
  };
}

describe('a user who signs out at the provider', () => {
  test('is signed out here at once, in that browser alone', async () => {
    const bff = await openSingleSignOn({ backChannel: true });
    const other = openBrowser(bff.fetch);
    for (const browser of [bff.browser, other]) await signInByProvider(browser);
    await bff.browser.signOutAt(bff.provider.issuer);
    expect([await isIn(bff.browser), await isIn(other)]).toEqual([false, true]);
    const [answer] = bff.backChannel.answers;
    expect([answer?.status, answer?.headers.get('Cache-Control'), await answer?.text()]).toEqual([
      200,
      'no-store',
      '',
    ]);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'signed-out-by-provider', sessions: 1 }),
    );
    expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
  });

  test('is signed out here by another server too', async () => {
    const bff = await openSingleSignOn({ backChannel: true });
    await signInByProvider(bff.browser);
    bff.backChannel.fetch = bff.openReplica().fetch;
    await bff.browser.signOutAt(bff.provider.issuer);
    expect(await isIn(bff.browser)).toBe(false);
  });

  test('while a sign-in is on its way back gets no session from it', async () => {
    const bff = await openSingleSignOn({ backChannel: true });
    bff.fault.intercept = async (request, goOn) => {
      const answer = await goOn();
      if (request.url.endsWith('/me')) await bff.browser.signOutAt(bff.provider.issuer);
      return answer;
    };
    const { url } = await goToCallback(bff.browser);
    expect(problemAt((await bff.browser.go(url.href, undefined, 'cross-site')).url)).toBe('expired');
    expect(bff.backChannel.answers.map(({ status }) => status)).toEqual([200]);
    expect(await bff.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });
});

describe('a logout token', () => {
  test.each<[string, object]>([
    ['with a session and a subject', {}],
    ['with a session alone', { sub: undefined }],
    ['with a subject alone', { sid: undefined }],
    ['for us in a list of one', { aud: [openIdClient.id] }],
    ['of a clock that is a little ahead', { iat: Math.floor(Date.now() / 1000) + 50 }],
  ])('%s ends the session', async (_, change) => {
    const bff = await openSignedIn();
    expect(await bff.tell(await bff.sign({ ...change }))).toBe(200);
    expect(await isIn(bff.browser)).toBe(false);
  });

  test.each<[string, Record<string, unknown>]>([
    ['of another provider', { iss: 'https://id.example' }],
    ['without an issuer', { iss: undefined }],
    ['for another client', { aud: 'another' }],
    ['for another client as well', { aud: [openIdClient.id, 'another'] }],
    ['for nobody', { aud: undefined }],
    ['without the time at which it was made', { iat: undefined }],
    ['of the future', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['of long ago', { iat: Math.floor(Date.now() / 1000) - 1200 }],
    ['that has no end', { exp: undefined }],
    ['that has ended', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['without a number of its own', { jti: undefined }],
    ['with an empty number', { jti: '' }],
    ['with a number that is no text', { jti: 7 }],
    ['with a nonce, as ID tokens have', { nonce: 'a nonce' }],
    ['with an empty nonce', { nonce: '' }],
    ['without events', { events: undefined }],
    ['with events that are a list', { events: [event] }],
    ['about something else', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['whose event says nothing', { events: { [event]: null } }],
    ['whose event is a text', { events: { [event]: 'yes' } }],
    ['whose event is inherited', { events: { ['__proto__']: { [event]: {} } } }],
    ['about nobody', { sub: undefined, sid: undefined }],
    ['about a subject that is no text', { sub: 7, sid: undefined }],
    ['about a session that is no text', { sid: ['x'] }],
    ['about empty ones', { sub: '', sid: '' }],
  ])('%s is refused and changes nothing', async (_, change) => {
    const bff = await openSignedIn();
    const answer = await bff.fetch(form(await bff.sign(change)));
    expect([answer.status, await codeIn(answer), await isIn(bff.browser)]).toEqual([
      400,
      'bad-request',
      true,
    ]);
    expect(await bff.db.selectFrom('provider_logouts').selectAll().execute()).toEqual([]);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'logout-token-refused', reason: expect.any(String) }),
    );
  });

  test.each<[string, Partial<JWTHeaderParameters>]>([
    ['of no type', { typ: undefined as never }],
    ['of the type of ID tokens', { typ: 'JWT' }],
    ['of the type of access tokens', { typ: 'at+jwt' }],
    ['by an unknown key', { kid: 'two' }],
  ])('%s is refused', async (_, header) => {
    const bff = await openSignedIn();
    expect(await bff.tell(await bff.sign({}, header))).toBe(400);
    expect(await isIn(bff.browser)).toBe(true);
  });

  test.each<[string, (token: string) => string]>([
    ['with another signature', (token) => `${token.slice(0, -6)}AAAAAA`],
    [
      'without a signature',
      (token) => `${encode({ alg: 'none', typ: 'logout+jwt' })}.${token.split('.')[1]}.`,
    ],
    ['that is none', () => 'odd'],
    ['that is empty', () => ''],
    ['that is very long', (token) => token + 'A'.repeat(20_000)],
  ])('%s is refused', async (_, change) => {
    const bff = await openSignedIn();
    expect(await bff.tell(change(await bff.sign()))).toBe(400);
    expect(await isIn(bff.browser)).toBe(true);
  });

  test('that is signed with our own secret is refused', async () => {
    const bff = await openSignedIn();
    const { SignJWT } = await import('jose');
    const token = await new SignJWT(bff.claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
      .sign(new TextEncoder().encode(openIdClient.secret.padEnd(32, '.')));
    expect([await bff.tell(token), await isIn(bff.browser)]).toEqual([400, true]);
  });

  test('counts once, at whichever server: a replay ends no later session', async () => {
    const bff = await openSignedIn();
    // Made before the sign-in that follows, by whole seconds.
    const token = await bff.sign({ sid: undefined, iat: Math.floor(Date.now() / 1000) - 5 });
    const other = bff.openReplica();
    const statuses = await Promise.all(
      [bff, other, bff, other].map((server) => bff.tell(token, server.fetch)),
    );
    expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 400, 400, 400]);
    await signInByProvider(bff.browser);
    for (const jump of [0, 500 * day, -500 * day, day]) {
      bff.time.now += jump;
      expect(await bff.tell(token)).toBe(400);
    }
    bff.time.now -= day;
    expect(await isIn(bff.browser)).toBe(true);
  });

  test('is forgotten a day after it, by a later one', async () => {
    const bff = await openSignedIn();
    const { issuer } = bff.provider;
    const old = { key: 'old', issued_at: bff.time.now - 2 * day, provider_session: null, subject: 'x' };
    await bff.db.insertInto('provider_logouts').values(old).execute();
    expect(await bff.tell(await bff.sign({ iss: issuer }))).toBe(200);
    const rows = await bff.db.selectFrom('provider_logouts').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/old|token-1|sub-1/);
  });

  test('about one session leaves the others, and one about a subject ends all of theirs', async () => {
    const bff = await openSignedIn();
    bff.provider.people['sub-2'] = { preferred_username: 'ola', roles: 'viewer' };
    const [second, stranger] = [openBrowser(bff.fetch), openBrowser(bff.fetch)];
    const first = bff.sid();
    await signInByProvider(second);
    await signInByProvider(stranger, 'sub-2');
    const all = async () => [await isIn(bff.browser), await isIn(second), await isIn(stranger)];
    expect(await bff.tell(await bff.sign({ sid: first, sub: 'sub-2' }))).toBe(200);
    expect(await bff.tell(await bff.sign({ sid: 'unknown', sub: undefined }))).toBe(200);
    expect(await bff.tell(await bff.sign({ sid: undefined, sub: 'nobody' }))).toBe(200);
    expect(await all()).toEqual([true, true, true]);
    expect(await bff.tell(await bff.sign({ sid: first }))).toBe(200);
    expect(await all()).toEqual([false, true, true]);
    expect(await bff.tell(await bff.sign({ sid: undefined }))).toBe(200);
    expect(await all()).toEqual([false, false, true]);
  });

  test('ends a session of which the provider gave no number with the subject', async () => {
    const bff = await openSignedIn();
    await bff.db.updateTable('sessions').set({ provider_session: null }).execute();
    expect(await bff.tell(await bff.sign({ sid: 'any' }))).toBe(200);
    expect(await isIn(bff.browser)).toBe(false);
  });

  test('that cannot be checked because the provider does not answer ends nothing, and does so when it does', async () => {
    const bff = await openSignedIn();
    const token = await bff.sign();
    const fresh = bff.openReplica();
    bff.fault.intercept = () => Promise.reject(new Error('canary-words'));
    expect([await bff.tell(token, fresh.fetch), await isIn(bff.browser)]).toEqual([400, true]);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ event: 'logout-token-refused', reason: 'no-keys' }),
    );
    bff.fault.intercept = (_, goOn) => goOn();
    expect([await bff.tell(token, fresh.fetch), await isIn(bff.browser)]).toEqual([200, false]);
  });

  test('asks for the keys of the provider once, however many are sent', async () => {
    const bff = await openSignedIn();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => bff.sign({}, { kid: `unknown-${index}` })),
    );
    const before = bff.asked.filter((asked) => asked === '/jwks').length;
    for (const token of tokens) expect(await bff.tell(token)).toBe(400);
    expect(bff.asked.filter((asked) => asked === '/jwks').length - before).toBeLessThanOrEqual(1);
  });

  test('is neither logged nor stored, nor is the user', async () => {
    const bff = await openSignedIn();
    const token = await bff.sign();
    await bff.tell(token);
    await bff.tell(token);
    const kept = JSON.stringify([
      bff.logs,
      await bff.db.selectFrom('provider_logouts').selectAll().execute(),
    ]);
    for (const secret of [token, token.split('.')[2] ?? '', bff.sid(), 'sub-1', 'canary'])
      expect(kept).not.toContain(secret);
  });
});

describe('the address for logout tokens', () => {
  test.each<[string, () => BodyInit | null, Record<string, string>]>([
    ['no body', () => null, {}],
    ['an empty form', () => new URLSearchParams(), {}],
    ['another field', () => new URLSearchParams({ id_token: 'x' }), {}],
    ['two tokens', () => new URLSearchParams('logout_token=a&logout_token=b'), {}],
    ['JSON', () => JSON.stringify({ logout_token: 'x' }), { 'Content-Type': 'application/json' }],
    ['a text', () => 'logout_token=x', { 'Content-Type': 'text/plain' }],
    ['bytes that are no text', () => new Uint8Array([0xff, 0xfe]), { 'Content-Type': formType }],
  ])('refuses %s', async (_, body, headers) => {
    const bff = await openSignedIn();
    const { status } = await bff.fetch(send(body(), headers));
    expect([status >= 400 && status < 500, await isIn(bff.browser)]).toEqual([true, true]);
  });

  test('takes no body beyond the limit', async () => {
    const bff = await openSignedIn();
    const body = new URLSearchParams({ logout_token: 'A'.repeat(70_000) });
    expect((await bff.fetch(send(body))).status).toBe(413);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('takes no %s', async (method) => {
    const bff = await openSignedIn();
    const answer = await bff.fetch(send(null, {}, method));
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
  });

  test('is for the server of the provider, and no page: whatever sends it there, even ours', async () => {
    const bff = await openSignedIn();
    const token = await bff.sign();
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none']) {
      const body = new URLSearchParams({ logout_token: token });
      const answer = await bff.fetch(send(body, { 'Sec-Fetch-Site': site, Cookie: bff.browser.cookies() }));
      expect([answer.status, await codeIn(answer)]).toEqual([403, 'cross-site']);
    }
    expect(await isIn(bff.browser)).toBe(true);
  });

  test('ignores other fields, as the standard asks', async () => {
    const bff = await openSignedIn();
    const body = new URLSearchParams({ logout_token: await bff.sign(), later: 'x' });
    expect((await bff.fetch(send(body))).status).toBe(200);
  });

  test('does not exist without a provider', async () => {
    const { createTestDesk } = await import('../../support/desk.ts');
    const bff = await createTestDesk({ service: 'canned' });
    expect((await bff.fetch(form('x'))).status).toBe(404);
    expect(await codeIn(await bff.fetch(ask('POST', path)))).toBe('cross-site');
  });
});

const formType = 'application/x-www-form-urlencoded';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
