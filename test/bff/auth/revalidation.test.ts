import { beforeAll, describe, expect, test } from 'vitest';
import { providerLimits } from '../../../src/bff/auth/openid-provider.ts';
import { revalidationTimes } from '../../../src/bff/auth/revalidation.ts';
import { createBff } from '../../../src/bff/bff.ts';
import { unseal } from '../../../src/contract/http/crypto.ts';
import { codeIn } from '../../support/bff/browser.ts';
import { manage } from '../../support/bff/person.ts';
import {
  openBrowser,
  openSingleSignOn,
  signInByProvider,
  type Browser,
  type SingleSignOnBff,
} from '../../support/bff/single-sign-on.ts';

const minute = 60_000;
const { interval, retry } = revalidationTimes;
const refused = () => Promise.reject(Object.assign(new Error('canary-words'), { code: 'ECONNREFUSED' }));

// What is asked here is not how long a provider may take, and a busy machine takes longer.
beforeAll(() => void (providerLimits.refresh = 10 * 60_000));

/** Kari, who signed in at a provider that gives refresh tokens. */
async function openRefreshing(roles: unknown = 'support', claimsInIdToken = false) {
  const bff = await openSingleSignOn({ refreshTokens: true, claimsInIdToken }, roles);
  await signInByProvider(bff.browser);
  bff.asked.length = 0;
  return bff;
}

const get = (browser: Browser) => browser.ask('GET', '/bff/session');
const statusOf = async (browser: Browser) => (await get(browser)).status;
/** How often the provider was asked for tokens. */
const refreshes = ({ asked }: SingleSignOnBff) => asked.filter((path) => path === '/token').length;
const setRoles = (bff: SingleSignOnBff, roles: unknown) =>
  void (bff.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles });
const rows = ({ db }: SingleSignOnBff) => db.selectFrom('sessions').selectAll().execute();

describe('a session of single sign-on', () => {
  test('is confirmed by the provider every 15 minutes while it is used', async () => {
    const bff = await openRefreshing();
    bff.time.now += interval - 1;
    expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, 0]);
    for (let times = 1; times <= 4; times += 1) {
      bff.time.now += times === 1 ? 1 : interval;
      expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, times]);
      expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, times]);
    }
  });

  test('is confirmed by the ID token alone where that says the role', async () => {
    const bff = await openRefreshing('support', true);
    bff.time.now += interval;
    expect(await statusOf(bff.browser)).toBe(200);
    expect(bff.asked).not.toContain('/me');
  });

  test.each([[[]], ['nothing that we know'], [undefined]])(
    'ends, with all others of the account, where the role is gone by then (%j)',
    async (roles) => {
      const bff = await openRefreshing('manager');
      const other = openBrowser(bff.fetch);
      await signInByProvider(other);
      setRoles(bff, roles);
      bff.time.now += interval;
      const answer = await bff.browser.ask('GET', '/api/subscribers/7');
      expect([answer.status, await codeIn(answer)]).toEqual([401, 'not-signed-in']);
      expect(bff.upstream.calls).toEqual([]);
      expect(await statusOf(other)).toBe(401);
      expect(await (await manage(bff)).find('canary-kari')).toMatchObject({ role: null });
    },
  );

  test('ends where the role is another by then, which the next sign-in has', async () => {
    const bff = await openRefreshing('manager');
    setRoles(bff, 'viewer');
    bff.time.now += interval;
    expect((await bff.browser.ask('GET', '/bff/staff')).status).toBe(401);
    await signInByProvider(bff.browser);
    expect(await (await get(bff.browser)).json()).toMatchObject({ staff: { role: 'viewer' } });
  });

  test('ends where the provider has withdrawn its refresh token, and no other does', async () => {
    const bff = await openRefreshing();
    const manager = await manage(bff);
    bff.provider.forgetRefreshTokens();
    bff.time.now += interval;
    expect(await statusOf(bff.browser)).toBe(401);
    expect((await manager.ask('GET', '/bff/session')).status).toBe(200);
    expect(await rows(bff)).toHaveLength(1);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'session-ended-by-provider' }),
    );
  });

  test('ends where the provider answers about somebody else', async () => {
    const bff = await openRefreshing('support', true);
    bff.exchangeIdToken(async (claims) => bff.provider.sign({ ...claims, sub: 'sub-2' }));
    bff.time.now += interval;
    expect([await statusOf(bff.browser), await rows(bff)]).toEqual([401, []]);
  });

  test('is not asked about where the provider gives no refresh tokens, nor one with a password', async () => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    const manager = await manage(bff);
    bff.asked.length = 0;
    bff.time.now += interval + minute;
    expect([await statusOf(bff.browser), (await manager.ask('GET', '/bff/staff')).status]).toEqual([
      200, 200,
    ]);
    expect(bff.asked).toEqual([]);
  });
});

describe('many requests at once', () => {
  test('cause one question, at one server', async () => {
    const bff = await openRefreshing();
    bff.time.now += interval;
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(bff.browser)));
    expect([new Set(statuses), refreshes(bff)]).toEqual([new Set([200]), 1]);
  });

  test('cause one question at two servers, and nobody is signed out by a token that was used twice', async () => {
    const bff = await openRefreshing();
    const other = bff.openReplica();
    for (let times = 1; times <= 3; times += 1) {
      bff.time.now += interval;
      const answers = Array.from({ length: 10 }, (_, index) => {
        bff.browser.use(index % 2 === 0 ? bff.fetch : other.fetch);
        return statusOf(bff.browser);
      });
      expect([new Set(await Promise.all(answers)), refreshes(bff)]).toEqual([new Set([200]), times]);
    }
  });
});

describe('while the provider does not answer', () => {
  test.each<[string, () => Promise<Response>]>([
    ['is down', refused],
    ['takes too long', () => Promise.reject(new DOMException('canary-words', 'TimeoutError'))],
    ['answers an error page', async () => new Response('canary-words', { status: 503 })],
    ['answers something else', async () => new Response('<h1>canary-words')],
    ['does not know us any more', async () => Response.json({ error: 'invalid_client' }, { status: 401 })],
  ])(
    'because it %s, nobody is signed out; it is logged, and asked again a minute later',
    async (_, answer) => {
      const bff = await openRefreshing();
      bff.fault.intercept = answer;
      bff.time.now += interval;
      expect(await statusOf(bff.browser)).toBe(200);
      const asked = bff.asked.length;
      const failures = () => bff.logs.filter(({ event }) => event === 'revalidation-failed');
      expect(failures()).toMatchObject([{ level: 'warn', reason: expect.any(String) }]);
      bff.time.now += retry - 1;
      expect([await statusOf(bff.browser), bff.asked.length]).toEqual([200, asked]);
      bff.fault.intercept = (_request, goOn) => goOn();
      setRoles(bff, []);
      bff.time.now += 1;
      expect(await statusOf(bff.browser)).toBe(401);
      expect([failures().length, JSON.stringify(bff.logs).includes('canary')]).toEqual([1, false]);
    },
  );

  test('one question is enough for all sessions', async () => {
    const bff = await openRefreshing();
    const others = [1, 2, 3].map(() => openBrowser(bff.fetch));
    for (const other of others) await signInByProvider(other);
    bff.asked.length = 0;
    bff.fault.intercept = refused;
    bff.time.now += interval;
    for (const browser of [bff.browser, ...others]) expect(await statusOf(browser)).toBe(200);
    expect(refreshes(bff)).toBe(1);
  });

  test('about the user, the new refresh token is kept: the next question has it', async () => {
    const bff = await openRefreshing();
    bff.fault.intercept = (request, goOn) => (request.url.endsWith('/me') ? refused() : goOn());
    bff.time.now += interval;
    expect(await statusOf(bff.browser)).toBe(200);
    bff.fault.intercept = (_, goOn) => goOn();
    bff.time.now += retry;
    expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, 2]);
  });

  test('sessions still end after their time', async () => {
    const bff = await openRefreshing();
    bff.fault.intercept = refused;
    for (let passed = 0; passed < 24; passed += 1) {
      expect(await statusOf(bff.browser)).toBe(200);
      bff.time.now += 20 * minute;
    }
    expect(await statusOf(bff.browser)).toBe(401);
  });
});

describe('when the clock jumps', () => {
  test.each([1, -1])(
    'by %i days, the provider is asked and the session goes on by its word',
    async (days) => {
      const bff = await openRefreshing();
      bff.time.now += days * 24 * 60 * minute;
      await bff.db.updateTable('sessions').set({ seen_at: bff.time.now, created_at: bff.time.now }).execute();
      expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, 1]);
      expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, 1]);
      bff.time.now += interval;
      expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, 2]);
    },
  );

  test('back after an outage, the pause does not last longer', async () => {
    const bff = await openRefreshing();
    bff.fault.intercept = refused;
    const ahead = 500 * 24 * 60 * minute;
    const move = async (by: number) => {
      bff.time.now += by;
      await bff.db.updateTable('sessions').set({ seen_at: bff.time.now, created_at: bff.time.now }).execute();
    };
    await move(ahead);
    expect(await statusOf(bff.browser)).toBe(200);
    await move(-ahead);
    bff.fault.intercept = (_, goOn) => goOn();
    bff.asked.length = 0;
    expect([await statusOf(bff.browser), refreshes(bff)]).toEqual([200, 1]);
  });
});

describe('the refresh token', () => {
  test('is stored encrypted, under the session’s id and a key of ours: neither alone opens it', async () => {
    const bff = await openSingleSignOn({ refreshTokens: true });
    const tokens: string[] = [];
    bff.fault.intercept = async (request, goOn) => {
      const answer = await goOn();
      if (request.url.endsWith('/token')) {
        const told: { refresh_token: string } = await answer.clone().json();
        tokens.push(told.refresh_token);
      }
      return answer;
    };
    await signInByProvider(bff.browser);
    bff.time.now += interval;
    await statusOf(bff.browser);
    expect(tokens.filter((token) => token.length > 20)).toHaveLength(2);
    const kept = JSON.stringify([await rows(bff), bff.logs]);
    for (const token of tokens) expect(kept).not.toContain(token);
    const id = /desk=([\w-]{43})/.exec(bff.browser.cookies())?.[1] ?? 'no id';
    expect(kept).not.toContain(id);
    const [row] = await rows(bff);
    for (const key of [id, bff.singleSignOn.tokenKey])
      expect(await unseal('refresh-token', key, row?.refresh_token ?? '')).toBeUndefined();
  });

  test('of another session, or under another key, ends the session instead of being sent', async () => {
    const bff = await openRefreshing();
    const tokenKey = 'B'.repeat(43);
    const other = createBff({ ...bff.deps, singleSignOn: { ...bff.singleSignOn, tokenKey } });
    bff.browser.use(other.fetch);
    bff.time.now += interval;
    expect([await statusOf(bff.browser), refreshes(bff), await rows(bff)]).toEqual([401, 0, []]);
  });
});
