import { SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { backChannel } from '../../../../src/contract/bff/single-sign-on.ts';
import { ask, outcomeOf, publicUrl } from '../../../support/bff/browser.ts';
import { openIdClient } from '../../../support/bff/openid-provider.ts';
import { isIn } from '../../../support/bff/person.ts';
import {
  giveJob,
  goToCallback,
  openBrowser,
  openSingleSignOn,
  problemAt,
  signInByProvider,
} from '../../../support/bff/single-sign-on.ts';
import { createTestDesk } from '../../../support/desk.ts';

const { path } = backChannel.endProviderSession;
const event = 'http://schemas.openid.net/event/backchannel-logout';
const minute = 60_000;
const day = 24 * 60 * 60_000;
const seconds = () => Math.floor(Date.now() / 1000);
const formType = 'application/x-www-form-urlencoded';

/** A request of the provider's server, with nothing that a browser adds. */
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
  const claims = (change: Record<string, unknown> = {}): JWTPayload => ({
    iss: bff.provider.issuer,
    aud: openIdClient.id,
    iat: seconds(),
    exp: seconds() + 120,
    jti: `token-${(count += 1)}`,
    events: { [event]: {} },
    sub: 'sub-1',
    sid,
    ...change,
  });
  const sign = (change: Record<string, unknown> = {}, header: Partial<JWTHeaderParameters> = {}) =>
    bff.provider.sign(claims(change), { typ: 'logout+jwt', ...header });
  return {
    ...bff,
    sid: () => sid,
    claims,
    sign,
    /** The answer to a token. */
    tell: (token: string, by = bff.fetch) => outcomeOf(by(form(token))),
  };
}

describe('a user who signs out at the provider', () => {
  it('is signed out here at once, in that browser alone', async () => {
    const bff = await openSingleSignOn({ backChannel: true });
    const other = openBrowser(bff.fetch);
    for (const browser of [bff.browser, other]) await signInByProvider(browser);
    await bff.browser.signOutAt(bff.provider.issuer);
    expect([await isIn(bff.browser), await isIn(other)]).toEqual([false, true]);
    const [answer] = bff.backChannel.answers;
    expect([answer?.headers.get('Cache-Control'), await answer?.text()]).toEqual(['no-store', '']);
    expect(answer?.status).toBe(200);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'signed-out-by-provider', sessions: 1 }),
    );
    expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
    bff.backChannel.fetch = bff.openReplica().fetch;
    await bff.browser.signOutAt(bff.provider.issuer);
    expect(await isIn(bff.browser)).toBe(false);
  });

  it('gets no session from a sign-in that is on its way back', async () => {
    const bff = await openSingleSignOn({ backChannel: true });
    bff.fault.intercept = async (request, goOn) => {
      const answer = await goOn();
      if (request.url.endsWith('/me')) await bff.browser.signOutAt(bff.provider.issuer);
      return answer;
    };
    const { url } = await goToCallback(bff.browser);
    expect(problemAt((await bff.browser.go(url.href, undefined, 'cross-site')).url)).toBe('expired');
    expect(bff.backChannel.answers.map(({ status }) => status)).toEqual([200]);
    expect(await bff.rows('sessions')).toEqual([]);
  });
});

/** Claims with which a token is refused. */
const wrongClaims: Record<string, Record<string, unknown>> = {
  'of another provider': { iss: 'https://id.example' },
  'without an issuer': { iss: undefined },
  'for another client': { aud: 'another' },
  'for another client as well': { aud: [openIdClient.id, 'another'] },
  'for nobody': { aud: undefined },
  'without the time at which it was made': { iat: undefined },
  'of the future': { iat: seconds() + 3600 },
  'of long ago': { iat: seconds() - 1200 },
  'that has no end': { exp: undefined },
  'that has ended': { exp: seconds() - 120 },
  'without a number of its own': { jti: undefined },
  'with an empty number': { jti: '' },
  'with a number that is no text': { jti: 7 },
  'with a nonce, as ID tokens have': { nonce: 'a nonce' },
  'with an empty nonce': { nonce: '' },
  'without events': { events: undefined },
  'with events that are a list': { events: [event] },
  'about something else': { events: { 'http://schemas.openid.net/event/other': {} } },
  'whose event says nothing': { events: { [event]: null } },
  'whose event is a text': { events: { [event]: 'yes' } },
  'whose event is inherited': { events: { ['__proto__']: { [event]: {} } } },
  'about nobody': { sub: undefined, sid: undefined },
  'about a subject that is no text': { sub: 7, sid: undefined },
  'about a session that is no text': { sid: ['x'] },
  'about empty ones': { sub: '', sid: '' },
};

const wrongHeaders: Record<string, Partial<JWTHeaderParameters>> = {
  'of no type': { typ: undefined as never },
  'of the type of ID tokens': { typ: 'JWT' },
  'of the type of access tokens': { typ: 'at+jwt' },
  'by an unknown key': { kid: 'two' },
};

const forgeries: Record<string, (token: string) => string> = {
  'with another signature': (token) => `${token.slice(0, -6)}AAAAAA`,
  'without a signature': (token) =>
    `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${token.split('.')[1]}.`,
  'that is none': () => 'odd',
  'that is empty': () => '',
  'that is very long': (token) => token + 'A'.repeat(17_000),
};

let bff: Awaited<ReturnType<typeof openSignedIn>>;
beforeEach(async () => {
  bff = await openSignedIn();
});

describe('a logout token', () => {
  it.each<[string, object]>([
    ['with a session and a subject', {}],
    ['with a session alone', { sub: undefined }],
    ['with a subject alone', { sid: undefined }],
    ['for us in a list of one', { aud: [openIdClient.id] }],
    ['of a clock that is a little ahead', { iat: seconds() + 50 }],
  ])('ends the session: %s', async (_, change) => {
    expect(await bff.tell(await bff.sign({ ...change }))).toBe('200');
    expect(await isIn(bff.browser)).toBe(false);
  });

  it('is refused and changes nothing where it is not as the standard says', async () => {
    const tokens: Record<string, string> = {};
    for (const [how, change] of Object.entries(wrongClaims)) tokens[how] = await bff.sign(change);
    for (const [how, header] of Object.entries(wrongHeaders)) tokens[how] = await bff.sign({}, header);
    for (const [how, change] of Object.entries(forgeries)) tokens[how] = change(await bff.sign());
    tokens['signed with our own secret'] = await new SignJWT(bff.claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
      .sign(new TextEncoder().encode(openIdClient.secret.padEnd(32, '.')));
    const answers: Record<string, string> = {};
    for (const [how, token] of Object.entries(tokens)) answers[how] = await bff.tell(token);
    expect(answers).toEqual(Object.fromEntries(Object.keys(tokens).map((how) => [how, '400 bad-request'])));
    expect([await isIn(bff.browser), await bff.rows('provider_logouts')]).toEqual([true, []]);
    const refused = { level: 'warn', event: 'logout-token-refused', reason: expect.any(String) };
    expect(bff.logs).toContainEqual(expect.objectContaining(refused));
  });

  it('counts once, at whichever server: a replay ends no later session', async () => {
    // Made before the sign-in that follows, by whole seconds.
    const token = await bff.sign({ sid: undefined, iat: seconds() - 5 });
    const other = bff.openReplica();
    const outcomes = await Promise.all(
      [bff, other, bff, other].map((server) => bff.tell(token, server.fetch)),
    );
    const refused = '400 bad-request';
    expect(outcomes.toSorted()).toEqual(['200', refused, refused, refused]);
    await signInByProvider(bff.browser);
    for (const jump of [0, 500 * day, -500 * day, day]) {
      bff.time.now += jump;
      expect(await bff.tell(token)).toBe(refused);
    }
    bff.time.now -= day;
    expect(await isIn(bff.browser)).toBe(true);
  });

  it('is forgotten two days after it', async () => {
    expect(await bff.tell(await bff.sign())).toBe('200');
    bff.time.now += 2 * day - 2 * minute;
    await bff.runMaintenance();
    const rows = await bff.rows('provider_logouts');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/token-1|sub-1/);
    bff.time.now += 4 * minute;
    await bff.runMaintenance();
    expect(await bff.rows('provider_logouts')).toEqual([]);
  });

  it('leaves the others if it is about one session, and ends all of a subject, whose jobs pause, if it is about that', async () => {
    const pauseOfJob = await giveJob(bff);
    bff.provider.people['sub-2'] = { preferred_username: 'ola', roles: 'viewer' };
    const [second, stranger] = [openBrowser(bff.fetch), openBrowser(bff.fetch)];
    const first = bff.sid();
    await signInByProvider(second);
    await signInByProvider(stranger, 'sub-2');
    const all = () => Promise.all([bff.browser, second, stranger].map(isIn));
    expect(await bff.tell(await bff.sign({ sid: first, sub: 'sub-2' }))).toBe('200');
    expect(await bff.tell(await bff.sign({ sid: 'unknown', sub: undefined }))).toBe('200');
    expect(await bff.tell(await bff.sign({ sid: undefined, sub: 'nobody' }))).toBe('200');
    expect(await all()).toEqual([true, true, true]);
    expect(await bff.tell(await bff.sign({ sid: first }))).toBe('200');
    expect([await all(), await pauseOfJob()]).toEqual([[false, true, true], null]);
    expect(await bff.tell(await bff.sign({ sid: undefined }))).toBe('200');
    expect([await all(), await pauseOfJob()]).toEqual([[false, false, true], 'rights']);
  });

  it('ends a session of which the provider gave no number with the subject', async () => {
    await bff.db.updateTable('sessions').set({ provider_session: null }).execute();
    expect(await bff.tell(await bff.sign({ sid: 'any' }))).toBe('200');
    expect(await isIn(bff.browser)).toBe(false);
  });

  it('ends nothing while the provider does not answer, so that it cannot be checked', async () => {
    const token = await bff.sign();
    const fresh = bff.openReplica();
    bff.fault.intercept = () => Promise.reject(new Error('canary-words'));
    expect([await bff.tell(token, fresh.fetch), await isIn(bff.browser)]).toEqual(['400 bad-request', true]);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ event: 'logout-token-refused', reason: 'no-keys' }),
    );
    bff.fault.intercept = (_, goOn) => goOn();
    expect([await bff.tell(token, fresh.fetch), await isIn(bff.browser)]).toEqual(['200', false]);
  });

  it('asks for the keys of the provider once, however many are sent', async () => {
    const before = bff.requested.filter((requested) => requested === '/jwks').length;
    for (let index = 0; index < 20; index += 1)
      await bff.tell(await bff.sign({}, { kid: `unknown-${index}` }));
    expect(bff.requested.filter((requested) => requested === '/jwks').length - before).toBeLessThanOrEqual(1);
  });

  it('is neither logged nor stored, nor is the user', async () => {
    const token = await bff.sign();
    await bff.tell(token);
    await bff.tell(token);
    const stored = JSON.stringify([bff.logs, await bff.rows('provider_logouts')]);
    for (const secret of [token, token.split('.')[2] ?? '', bff.sid(), 'sub-1', 'canary'])
      expect(stored).not.toContain(secret);
  });
});

describe('the address for logout tokens', () => {
  it('refuses all but one token in a form', async () => {
    const bodies: Record<string, Request> = {
      'no body': send(null),
      'an empty form': send(new URLSearchParams()),
      'another field': send(new URLSearchParams({ id_token: 'x' })),
      'two tokens': send(new URLSearchParams('logout_token=a&logout_token=b')),
      JSON: send('{"logout_token":"x"}', { 'Content-Type': 'application/json' }),
      'a text': send('logout_token=x', { 'Content-Type': 'text/plain' }),
      'bytes that are no text': send(new Uint8Array([0xff, 0xfe]), { 'Content-Type': formType }),
      'a body beyond the limit': form('A'.repeat(70_000)),
    };
    for (const [what, request] of Object.entries(bodies))
      expect((await bff.fetch(request)).status, what).toBeOneOf([400, 413, 415, 422]);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await bff.fetch(send(null, {}, method));
      expect([answer.status, answer.headers.get('Allow')], method).toEqual([405, 'POST']);
    }
    expect(await isIn(bff.browser)).toBe(true);
  });

  it('is for the server of the provider, and no page: whatever sends it there, even ours', async () => {
    const token = await bff.sign();
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none']) {
      const request = form(token);
      request.headers.set('Sec-Fetch-Site', site);
      request.headers.set('Cookie', bff.browser.cookies());
      expect(await outcomeOf(bff.fetch(request))).toBe('403 cross-site');
    }
    expect(await isIn(bff.browser)).toBe(true);
  });

  it('ignores other fields, as the standard asks', async () => {
    const body = new URLSearchParams({ logout_token: await bff.sign(), later: 'x' });
    expect((await bff.fetch(send(body))).status).toBe(200);
  });

  it('does not exist without a provider', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    expect((await bff.fetch(form('x'))).status).toBe(404);
    expect(await outcomeOf(bff.fetch(ask('POST', path)))).toBe('403 cross-site');
  });
});
