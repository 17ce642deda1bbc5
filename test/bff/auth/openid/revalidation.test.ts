import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBff } from '../../../../src/bff/http/bff.ts';
import { revalidationTimes } from '../../../../src/bff/auth/openid/revalidation.ts';
import { unseal } from '../../../../src/lib/crypto.ts';
import { outcomeOf } from '../../../support/bff/browser.ts';
import { isIn, manage } from '../../../support/bff/person.ts';
import {
  giveJob,
  openBrowser,
  openSingleSignOn,
  refuseConnection,
  signInByProvider,
  type SingleSignOnBff,
} from '../../../support/bff/single-sign-on.ts';

const minute = 60_000;
const { interval, retry } = revalidationTimes;

// What is asked here is not how long a provider may take, and a busy machine takes longer.
beforeAll(() => void (revalidationTimes.patience = 10 * 60_000));

/** Kari, who signed in at a provider that gives refresh tokens. */
async function openRefreshing(roles: unknown = 'support', claimsInIdToken = false) {
  const bff = await openSingleSignOn({ refreshTokens: true, claimsInIdToken }, roles);
  await signInByProvider(bff.browser);
  bff.requested.length = 0;
  return bff;
}

/** Number of times that the provider was asked for tokens. */
const refreshes = ({ requested }: SingleSignOnBff) => requested.filter((path) => path === '/token').length;
/** The state of the browser, signed in or not, and the number of requests for tokens by then. */
const stateOf = async (bff: SingleSignOnBff) => [await isIn(bff.browser), refreshes(bff)];
const setRoles = (bff: SingleSignOnBff, roles: unknown) =>
  void (bff.provider.people['sub-1'] = { preferred_username: 'canary-kari', roles });
/** Moves the clock, with which the session would have ended. */
const jump = async ({ time, db }: SingleSignOnBff, ms: number) => {
  time.now += ms;
  await db.updateTable('sessions').set({ seen_at: time.now, created_at: time.now }).execute();
};

let bff: SingleSignOnBff;
beforeEach(async () => {
  bff = await openRefreshing();
});

describe('a session of single sign-on', () => {
  it('is confirmed by the provider every 15 minutes while it is used', async () => {
    bff.time.now += interval - 1;
    expect(await stateOf(bff)).toEqual([true, 0]);
    for (let times = 1; times <= 4; times += 1) {
      bff.time.now += times === 1 ? 1 : interval;
      expect(await stateOf(bff)).toEqual([true, times]);
      expect(await stateOf(bff)).toEqual([true, times]);
    }
  });

  it('is confirmed by the ID token alone where that says the role', async () => {
    bff = await openRefreshing('support', true);
    bff.time.now += interval;
    expect(await isIn(bff.browser)).toBe(true);
    expect(bff.requested).not.toContain('/me');
  });

  it('ends, with all others of the account, where the role is gone by then', async () => {
    bff = await openRefreshing('manager');
    const other = openBrowser(bff.fetch);
    await signInByProvider(other);
    setRoles(bff, undefined);
    bff.time.now += interval;
    expect(await outcomeOf(bff.browser.ask('GET', '/api/subscribers/7'))).toBe('401 not-signed-in');
    expect([bff.upstream.calls, await isIn(other)]).toEqual([[], false]);
    expect(await (await manage(bff)).find('canary-kari')).toMatchObject({ role: null });
  });

  it('ends where the role is another by then, which the next sign-in has', async () => {
    bff = await openRefreshing('manager');
    setRoles(bff, 'viewer');
    bff.time.now += interval;
    expect((await bff.browser.ask('GET', '/bff/staff')).status).toBe(401);
    await signInByProvider(bff.browser);
    const session = await (await bff.browser.ask('GET', '/bff/session')).json();
    expect(session).toMatchObject({ staff: { role: 'viewer' } });
  });

  it('ends where the provider has withdrawn its refresh token, and no other does; jobs of the user pause', async () => {
    const manager = await manage(bff);
    const pauseOfJob = await giveJob(bff);
    await bff.provider.forgetRefreshTokens();
    bff.time.now += interval;
    expect([await isIn(bff.browser), await isIn(manager)]).toEqual([false, true]);
    expect(await bff.rows('sessions')).toHaveLength(1);
    expect(await pauseOfJob()).toBe('rights');
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'session-ended-by-provider' }),
    );
  });

  it.each([
    [401, {}],
    [403, {}],
    [401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }],
  ])('ends where the provider gives no user info any more: %i %o', async (status, headers) => {
    bff.fault.intercept = (request, goOn) =>
      request.url.endsWith('/me') ? Promise.resolve(new Response(null, { status, headers })) : goOn();
    bff.time.now += interval;
    expect([await isIn(bff.browser), await bff.rows('sessions')]).toEqual([false, []]);
  });

  it('ends where the provider answers about somebody else', async () => {
    bff = await openRefreshing('support', true);
    bff.exchangeIdToken(async (claims) => bff.provider.sign({ ...claims, sub: 'sub-2' }));
    bff.time.now += interval;
    expect([await isIn(bff.browser), await bff.rows('sessions')]).toEqual([false, []]);
  });

  it('is not asked about without a refresh token, and neither is one with a password', async () => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    const manager = await manage(bff);
    bff.requested.length = 0;
    bff.time.now += interval + minute;
    expect([await isIn(bff.browser), await isIn(manager), bff.requested]).toEqual([true, true, []]);
  });

  it('causes one question of many requests at once, at two servers, with each token used once', async () => {
    const servers = [bff, bff.openReplica()];
    for (const [times, among] of [[bff], servers, servers, servers].entries()) {
      bff.time.now += interval;
      const answers = Array.from({ length: 10 }, (_, index) => {
        bff.browser.use((among[index % among.length] ?? bff).fetch);
        return isIn(bff.browser);
      });
      expect([new Set(await Promise.all(answers)), refreshes(bff)]).toEqual([new Set([true]), times + 1]);
    }
  });

  it('goes on where the answer comes later than a request waits for it, with the token of that answer', async () => {
    const late = Promise.withResolvers<void>();
    const used: (string | null)[] = [];
    bff.fault.intercept = async (request, goOn) => {
      if (!request.url.endsWith('/token')) return goOn();
      used.push(new URLSearchParams(await request.clone().text()).get('refresh_token'));
      const answer = await goOn();
      await late.promise;
      return answer;
    };
    const { patience } = revalidationTimes;
    onTestFinished(() => void (revalidationTimes.patience = patience));
    revalidationTimes.patience = 0;
    bff.time.now += interval;
    expect(await isIn(bff.browser)).toBe(true);
    const stored = async () => (await bff.rows('sessions'))[0]?.refresh_token;
    const before = await stored();
    late.resolve();
    await expect.poll(stored).not.toBe(before);
    revalidationTimes.patience = patience;
    bff.time.now += interval;
    // Where the first question still writes what it heard, a request joins it.
    const usedAfterRequest = async () => [await isIn(bff.browser), new Set(used).size];
    await expect.poll(usedAfterRequest).toEqual([true, 2]);
  });

  it.each([1, -1])('goes on by the word of the provider when the clock jumps by %i days', async (days) => {
    await jump(bff, days * 24 * 60 * minute);
    expect(await stateOf(bff)).toEqual([true, 1]);
    expect(await stateOf(bff)).toEqual([true, 1]);
    bff.time.now += interval;
    expect(await stateOf(bff)).toEqual([true, 2]);
  });
});

describe('an outage of the provider', () => {
  it.each<[string, () => Promise<Response>]>([
    ['it is down', refuseConnection],
    ['it takes too long', () => Promise.reject(new DOMException('canary-words', 'TimeoutError'))],
    ['it answers an error page', async () => new Response('canary-words', { status: 503 })],
    ['it answers something else', async () => new Response('<h1>canary-words')],
    ['it does not know us any more', async () => Response.json({ error: 'invalid_client' }, { status: 401 })],
  ])('signs nobody out, is logged, and ends with the question a minute later: %s', async (_, answer) => {
    bff.fault.intercept = answer;
    bff.time.now += interval;
    expect(await isIn(bff.browser)).toBe(true);
    const requested = bff.requested.length;
    const failures = () => bff.logs.filter(({ event }) => event === 'revalidation-failed');
    expect(failures()).toMatchObject([{ level: 'warn', reason: expect.any(String) }]);
    bff.time.now += retry - 1;
    expect([await isIn(bff.browser), bff.requested.length]).toEqual([true, requested]);
    bff.fault.intercept = (_request, goOn) => goOn();
    setRoles(bff, []);
    bff.time.now += 1;
    expect(await isIn(bff.browser)).toBe(false);
    expect([failures().length, JSON.stringify(bff.logs).includes('canary')]).toEqual([1, false]);
  });

  it('is found out by one question for all sessions of an account', async () => {
    const others = [1, 2, 3].map(() => openBrowser(bff.fetch));
    for (const other of others) await signInByProvider(other);
    bff.requested.length = 0;
    bff.fault.intercept = refuseConnection;
    bff.time.now += interval;
    for (const browser of [bff.browser, ...others]) expect(await isIn(browser)).toBe(true);
    expect(refreshes(bff)).toBe(1);
  });

  it('keeps the provider from being asked about nobody but the account that meets it', async () => {
    bff.provider.people['sub-2'] = { preferred_username: 'canary-olav', roles: 'viewer' };
    const other = openBrowser(bff.fetch);
    await signInByProvider(other, 'sub-2');
    bff.requested.length = 0;
    bff.fault.intercept = refuseConnection;
    bff.time.now += interval;
    expect(await isIn(bff.browser)).toBe(true);
    bff.fault.intercept = (_request, goOn) => goOn();
    bff.provider.people['sub-2'] = { preferred_username: 'canary-olav', roles: [] };
    expect([await isIn(other), await isIn(bff.browser)]).toEqual([false, true]);
  });

  it.each(['/me', '/jwks'])(
    'loses no new refresh token where only %s fails: the next question has it',
    async (path) => {
      // One that has not fetched the keys yet, as after a start.
      bff.browser.use(bff.openReplica().fetch);
      bff.fault.intercept = (request, goOn) => (request.url.endsWith(path) ? refuseConnection() : goOn());
      bff.time.now += interval;
      expect(await isIn(bff.browser)).toBe(true);
      bff.fault.intercept = (_, goOn) => goOn();
      bff.time.now += retry;
      expect(await stateOf(bff)).toEqual([true, 2]);
    },
  );

  it('lets sessions end after their time', async () => {
    bff.fault.intercept = refuseConnection;
    for (let passed = 0; passed < 24; passed += 1) {
      expect(await isIn(bff.browser)).toBe(true);
      bff.time.now += 20 * minute;
    }
    expect(await isIn(bff.browser)).toBe(false);
  });
});

describe('single sign-on that was switched off, or is another provider’s by now', () => {
  it.each([undefined, 'https://other.example.com'])(
    'lets nobody in, and no job go on: %s',
    async (issuer) => {
      await giveJob(bff);
      await bff.db.updateTable('jobs').set({ kind: 'update', state: 'preparing', lease_until: 0 }).execute();
      const { singleSignOn: _, ...off } = bff.deps;
      const requests: string[] = [];
      const fetch = async (request: Request) => {
        requests.push(request.url);
        return refuseConnection();
      };
      const deps =
        issuer === undefined ? off : { ...off, singleSignOn: { ...bff.singleSignOn, issuer, fetch } };
      const later = createBff(deps);
      onTestFinished(() => later.stop());
      bff.browser.use(later.fetch);
      bff.time.now += interval;
      expect([await isIn(bff.browser), requests]).toEqual([false, []]);
      await later.runMaintenance();
      await expect
        .poll(async () => (await bff.rows('jobs'))[0])
        .toMatchObject({ state: 'stopped', problem: expect.stringContaining('may not do so any more') });
    },
  );
});

describe('a refresh token', () => {
  it('is stored encrypted, under the session’s id and a key of ours: neither alone opens it', async () => {
    const bff = await openSingleSignOn({ refreshTokens: true });
    const tokens: string[] = [];
    bff.fault.intercept = async (request, goOn) => {
      const answer = await goOn();
      if (request.url.endsWith('/token')) {
        const reported: { refresh_token: string } = await answer.clone().json();
        tokens.push(reported.refresh_token);
      }
      return answer;
    };
    await signInByProvider(bff.browser);
    bff.time.now += interval;
    await isIn(bff.browser);
    expect(tokens.filter((token) => token.length > 20)).toHaveLength(2);
    const [row] = await bff.rows('sessions');
    const id = /desk=([\w-]{43})/.exec(bff.browser.cookies())?.[1] ?? 'no id';
    for (const secret of [...tokens, id]) expect(JSON.stringify([row, bff.logs])).not.toContain(secret);
    for (const key of [id, bff.singleSignOn.tokenKey])
      expect(await unseal('refresh-token', key, row?.refresh_token ?? '')).toBeUndefined();
  });

  it('ends the session instead of being sent if it is under another key', async () => {
    const singleSignOn = { ...bff.singleSignOn, tokenKey: 'B'.repeat(43) };
    bff.browser.use(bff.openReplica({ singleSignOn }).fetch);
    bff.time.now += interval;
    expect([...(await stateOf(bff)), await bff.rows('sessions')]).toEqual([false, 0, []]);
  });
});
