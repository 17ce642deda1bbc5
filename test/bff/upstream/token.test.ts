import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { cannedAnswers, tokenAnswer } from '../../support/bff/canned.ts';
import { clientSecret, type Next, type Seen } from '../../support/bff/upstream.ts';

let bff: TestDesk;
let headers: { Cookie: string };

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  headers = { Cookie: (await bff.signIn('manager')).cookie() };
});

const list = () => bff.fetch(ask('GET', '/api/subscribers', { headers }));
const bearers = () => bff.upstream.calls.map((call) => call.headers['authorization']);
const second = 1000;

/** Refuses the bearer tokens with these numbers, like a service that no longer knows them. */
const refusing =
  (...numbers: number[]) =>
  (seen: Seen, next: Next) =>
    numbers.some((number) => seen.headers['authorization'] === `Bearer canary-bearer-${number}`)
      ? new Response('expired', { status: 401 })
      : cannedAnswers.operation(seen, next);

/**
 * A BFF whose requests wait for no database, so that all of them are sent before the service answers the first: it
 * answers on the next turn of the event loop.
 */
async function openWithoutSessions() {
  const bff = await createTestDesk({
    service: 'canned',
    transport: { kind: 'tab', staff: { name: 'Ann', role: 'manager' } },
  });
  bff.upstream.token = async (count) => {
    await setImmediate();
    return tokenAnswer(count);
  };
  const listAtOnce = async (times: number) => {
    // Each request reads another page, because equal reads share one call.
    const requests = Array.from({ length: times }, (_, index) =>
      ask('GET', `/api/subscribers?Page=${index + 1}`),
    );
    const answers = await Promise.all(requests.map((request) => bff.fetch(request)));
    return new Set(answers.map(({ status }) => status));
  };
  return { bff, listAtOnce };
}

describe('the upstream token', () => {
  it('is requested by a form with the client’s credentials', async () => {
    await list();
    expect(bff.upstream.tokenCalls).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ]);
    expect(Object.fromEntries(new URLSearchParams(bff.upstream.tokenCalls[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'desk',
      client_secret: clientSecret,
      scope: 'subscribers:read subscribers:write',
    });
  });

  it('is fetched once for 1,000 simultaneous requests, at the start and after it expired', async () => {
    const { bff, listAtOnce } = await openWithoutSessions();
    expect(await listAtOnce(1000)).toEqual(new Set([200]));
    expect([bff.upstream.tokenCalls.length, bff.upstream.calls.length]).toEqual([1, 1000]);
    bff.time.now += 3600 * second;
    expect(await listAtOnce(1000)).toEqual(new Set([200]));
    expect([bff.upstream.tokenCalls.length, bff.upstream.calls.length]).toEqual([2, 2000]);
  });

  it.each([
    ['a minute before the end of an hour', { expires_in: 3600 }, 3540],
    ['a fifth of its life before the end of a short life', { expires_in: 100 }, 80],
    ['after four minutes if the service does not say how long it is valid', {}, 240],
  ])('is renewed %s', async (_, extra, life) => {
    bff.upstream.token = (count) => tokenAnswer(count, extra);
    const listAfter = async (ms: number) => {
      bff.time.now += ms;
      headers = { Cookie: (await bff.signIn('manager')).cookie() };
      await list();
    };
    await listAfter(0);
    await listAfter(life * second - 1);
    expect(bff.upstream.tokenCalls).toHaveLength(1);
    await listAfter(1);
    expect(bff.upstream.tokenCalls).toHaveLength(2);
    expect(bearers().at(-1)).toBe('Bearer canary-bearer-2');
  });

  it('is used until it expires if renewing fails', async () => {
    bff.upstream.token = (count) =>
      count === 1 ? tokenAnswer(count, { expires_in: 100 }) : new Response(null, { status: 500 });
    await list();
    bff.time.now += 99 * second;
    expect((await list()).status).toBe(200);
    bff.time.now += second;
    expect((await list()).status).toBe(502);
  });

  it('is fetched again after a failure', async () => {
    bff.upstream.token = (count) => (count === 1 ? new Response(null, { status: 500 }) : tokenAnswer(count));
    expect((await list()).status).toBe(502);
    expect((await list()).status).toBe(200);
  });

  it.each([
    ['refuses the client', () => Response.json({ error: 'invalid_client' }, { status: 401 }), 502],
    ['is busy', () => new Response(null, { status: 503 }), 503],
    ['answers HTML', () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } }), 502],
    ['answers something else', () => Response.json({ token: 'x' }), 502],
    ['answers another kind of token', () => Response.json({ access_token: 'x', token_type: 'mac' }), 502],
    [
      'answers a token that does not fit into a header',
      () => Response.json({ access_token: 'x\ny', token_type: 'Bearer' }),
      502,
    ],
    ['redirects', () => Response.redirect('http://evil.test/', 307), 502],
    ['cannot be reached', () => Promise.reject(new TypeError('connect ECONNREFUSED')), 503],
  ])('is missing and the request is refused if the service %s', async (_, token, status) => {
    bff.upstream.token = token;
    expect((await list()).status).toBe(status);
    expect(bff.upstream.calls).toEqual([]);
  });
});

describe('an upstream 401', () => {
  it('fetches one new token and repeats the call once', async () => {
    bff.upstream.operation = refusing(1);
    expect((await list()).status).toBe(200);
    expect(bearers()).toEqual(['Bearer canary-bearer-1', 'Bearer canary-bearer-2']);
  });

  it('repeats a change with its body', async () => {
    bff.upstream.operation = refusing(1);
    const request = ask('PUT', '/api/subscribers/7', { headers, body: { note: 'called' } });
    expect((await bff.fetch(request)).status).toBe(200);
    expect(bff.upstream.calls.map(({ body }) => body)).toEqual(['{"note":"called"}', '{"note":"called"}']);
  });

  it('fetches one new token for 1,000 simultaneous requests', async () => {
    const { bff, listAtOnce } = await openWithoutSessions();
    bff.upstream.operation = refusing(1);
    expect(await listAtOnce(1000)).toEqual(new Set([200]));
    expect([bff.upstream.tokenCalls.length, bff.upstream.calls.length]).toEqual([2, 2000]);
  });

  it('fetches no other token if it arrives after the token was replaced', async () => {
    const held = Promise.withResolvers<void>();
    const answer = refusing(1);
    bff.upstream.operation = async (seen, next) => {
      if (seen.method === 'DELETE' && bff.upstream.tokenCalls.length === 1) await held.promise;
      return answer(seen, next);
    };
    const deletion = bff.fetch(ask('DELETE', '/api/subscribers/7', { headers }));
    await expect.poll(() => bff.upstream.calls).toHaveLength(1);
    expect((await list()).status).toBe(200);
    held.resolve();
    expect((await deletion).status).toBe(200);
    expect(bff.upstream.tokenCalls).toHaveLength(2);
  });

  it('is answered with bad-upstream for the repeated call, and signs no one out', async () => {
    bff.upstream.operation = refusing(1, 2);
    const response = await list();
    expect(await outcomeOf(response)).toBe('502 bad-upstream');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(bff.upstream.calls).toHaveLength(2);
    expect((await bff.fetch(ask('GET', '/bff/session', { headers }))).status).toBe(200);
  });
});
