import { beforeEach, describe, expect, it, test } from 'vitest';
import { createBff } from '../../../src/bff/http/bff.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { anna, entered } from '../../support/people.ts';

let desk: TestDesk;
let token: string;
beforeEach(async () => {
  desk = await createTestDesk({ people: [anna] });
  token = desk.people[0]?.accessToken ?? '';
});

const params = { id: 1 };
const path = '/bff/subscribers/1/reveal-token';
const recorded = async () => {
  const manager = await desk.signIn('manager');
  return (await manager.bff.listActivity({ query: { operation: 'revealToken' } })).data.items;
};

describe('the access tokens in an answer', () => {
  test.each(['viewer', 'support', 'manager'])(
    'access tokens are masked in all that a %s reads',
    async (role) => {
      const person = await desk.signIn(role);
      const include = ['bundles'] as const;
      const answers = await Promise.all([
        person.ask('GET', '/api/subscribers'),
        person.ask('GET', '/api/subscribers?Username=ann&PageSize=200'),
        person.ask('GET', '/api/subscribers/1?include=bundles'),
        person.ask('POST', '/bff/find-by-token', { accessToken: token, include }),
      ]);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      for (const text of texts) expect(text).toContain(`"accessToken":"••••••••••••${token.slice(-4)}"`);
      expect(texts.join('\n')).not.toContain(token);
    },
  );

  test('access tokens are masked in the answers to changes, but for a regenerated one', async () => {
    const { api, bff, ask: send } = await desk.signIn('manager');
    const masked = /^•{12}[\w-]{4}$/;
    expect((await api.createSubscriber({ body: entered })).data.accessToken).toMatch(masked);
    expect((await api.updateSubscriber({ params, body: { note: 'x' } })).data.accessToken).toMatch(masked);
    const regenerated = (await api.regenerateToken({ params })).data.accessToken;
    expect(regenerated).toBe((await desk.saved()).accessToken);
    expect((await api.deleteSubscriber({ params })).data.accessToken).toMatch(masked);
    const [deletion] = (await bff.listActivity({ query: { operation: 'deleteSubscriber' } })).data.items;
    const undone = await send('POST', `/bff/activity/${deletion?.id}/undo`);
    expect((await undone.json()).accessToken).toMatch(masked);
  });

  test('access tokens are masked in the record that a refused change shows', async () => {
    const { cookie } = await desk.signIn('manager');
    const headers = { 'If-Match': '"old"', Cookie: cookie() };
    const answer = await desk.fetch(ask('PUT', '/api/subscribers/1', { headers, body: { note: 'x' } }));
    const reported = await answer.json();
    expect([answer.status, reported.current.accessToken]).toEqual([412, `••••••••••••${token.slice(-4)}`]);
  });
});

describe('POST /bff/subscribers/{id}/reveal-token', () => {
  it('answers the token, and the journal says who got whose and when, without the token', async () => {
    const support = await desk.signIn('support');
    expect((await support.bff.revealToken({ params })).data).toEqual({ accessToken: token });
    const at = new Date(desk.time.now).toISOString();
    expect(await recorded()).toMatchObject([
      { kind: 'data', at, staff: { name: 'support' }, subscriberId: 1, username: 'anna', details: {} },
    ]);
    expect(JSON.stringify(await desk.rows('journal'))).not.toContain(token);
  });

  it('answers none, and records nothing, once the account is disabled while the service takes its time', async () => {
    const support = await desk.signIn('support');
    desk.upstream.operation = async (_, next) => {
      await desk.changeAccount('support', { disabled: 1 });
      return next();
    };
    expect(await outcomeOf(support.ask('POST', path))).toBe('401 not-signed-in');
    expect(await recorded()).toEqual([]);
  });

  it('is not got around by a regeneration that is sent again, whose answer has the token once more', async () => {
    const support = await desk.signIn('support');
    const headers = { 'Idempotency-Key': 'regenerated-once' };
    const regenerate = () => support.ask('POST', '/api/subscribers/1/regenerate-token', undefined, headers);
    expect([(await regenerate()).status, (await regenerate()).status]).toEqual([200, 200]);
    desk.upstream.lookup = async (_, next) => {
      await desk.changeAccount('support', { disabled: 1 });
      return next();
    };
    expect(await outcomeOf(regenerate())).toBe('401 not-signed-in');
    expect(await recorded()).toHaveLength(1);
  });

  it('records each time anew, also where nothing is logged', async () => {
    const support = await desk.signIn('support');
    await support.bff.revealToken({ params });
    const silent = createBff({ ...desk.deps, random: createSeededRandom(9).bytes, log: () => undefined });
    const headers = { Cookie: support.cookie() };
    expect((await silent.fetch(ask('POST', path, { headers }))).status).toBe(200);
    expect(await recorded()).toHaveLength(2);
  });

  test.each([
    ['of a subscriber that does not exist', '99', 404],
    ['of no id', 'x', 422],
    ['of an id that is too large', '1e400', 422],
    ['of an encoded step up', '..%2F1', 422],
  ])('the token %s is refused, and nothing is recorded', async (_, id, status) => {
    const support = await desk.signIn('support');
    expect((await support.ask('POST', `/bff/subscribers/${id}/reveal-token`)).status).toBe(status);
    expect(await recorded()).toEqual([]);
  });

  it.each([
    ['fails', () => new Response(null, { status: 500 }), 502],
    ['answers a record without a token', () => Response.json({ id: 1, username: 'anna' }), 502],
    ['answers no JSON', () => new Response('<html>'), 502],
  ])('shows and records nothing if the service %s', async (_, answer, status) => {
    desk.upstream.operation = answer;
    expect((await (await desk.signIn('support')).ask('POST', path)).status).toBe(status);
    expect(await recorded()).toEqual([]);
  });

  it('shows nothing if it cannot be recorded', async () => {
    const support = await desk.signIn('support');
    await desk.db.schema.dropTable('journal_head').execute();
    const answer = await support.ask('POST', path);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain(token);
  });

  it('records every one of many at once, on two servers, in one chain', async () => {
    const support = await desk.signIn('support');
    const other = desk.openReplica();
    const fetches = [desk.fetch, other.fetch];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const request = ask('POST', path, { headers: { Cookie: support.cookie() } });
        return (fetches[index % 2] ?? desk.fetch)(request);
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await recorded()).toHaveLength(20);
    expect(await verifyJournal(desk.db, createMac(journalKey))).not.toHaveProperty('fault');
  });
});
