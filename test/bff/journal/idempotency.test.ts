import { beforeEach, describe, expect, it } from 'vitest';
import { changeHeaders, keyLifetime } from '../../../src/contract/http/change-headers.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn, upstreamBase } from '../../support/bff/upstream.ts';
import { entered } from '../../support/people.ts';

let setup: TestDesk;
let ann: ReturnType<TestDesk['as']>;
beforeEach(async () => {
  setup = await createTestDesk({ staff: {}, time: runningTime() });
  ann = setup.as('manager', 'Ann');
});

const key = 'a-key-of-its-own-1';
const send = (
  path: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
  user = ann,
) => user.fetch(ask(method, path, { body, headers: { [changeHeaders.key]: key, ...headers } }));
const create = (change: object = {}, headers: Record<string, string> = {}) =>
  send('/api/subscribers', 'POST', { ...entered, ...change }, headers);
const writes = () => setup.upstream.calls.filter(({ method }) => method !== 'GET');
const subscribers = async () => (await setup.serviceDb()).selectFrom('subscribers').selectAll().execute();

describe('a change with an Idempotency-Key', () => {
  it('is made once if it is sent 50 times at once, and all requests get the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create()));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('ETag')}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get(changeHeaders.replayed) === 'true')).toHaveLength(49);
    expect(writes()).toMatchObject([{ method: 'POST', url: `${upstreamBase}/subscribers` }]);
    expect(await subscribers()).toHaveLength(1);
  });

  it('is refused if its body differs from the first one, with an error for the header', async () => {
    await create();
    const other = await create({ note: 'another' });
    expect(await codeIn(other.clone())).toBe('key-used-before');
    expect([other.status, (await other.json()).errors]).toEqual([
      422,
      { [changeHeaders.key]: [expect.stringMatching(/Use a new key/)] },
    ]);
    const elsewhere = await send('/api/subscribers/1', 'PUT', { note: 'x' });
    expect(elsewhere.status).toBe(422);
    expect(writes()).toHaveLength(1);
  });

  it('is refused if another body arrives at the same moment', async () => {
    const both = await Promise.all([create(), create({ username: 'bob' })]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(await subscribers()).toHaveLength(1);
  });

  it('is the same change if the fields of its body are in another order', async () => {
    await create();
    const reversed = Object.fromEntries(Object.entries(entered).toReversed());
    const again = await send('/api/subscribers', 'POST', reversed);
    expect([again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, 'true']);
  });

  it('gets the same answer from another server', async () => {
    const first = await (await create()).text();
    const again = await send('/api/subscribers', 'POST', entered, {}, setup.as('manager', 'Ann'));
    expect(await again.text()).toBe(first);
    expect(await subscribers()).toHaveLength(1);
  });

  it('gets the record as it is now if somebody changed it since', async () => {
    await create();
    const { data } = await ann.api.updateSubscriber({ params: { id: 1 }, body: { note: 'Later.' } });
    const again = await create();
    expect([again.status, await again.json()]).toEqual([200, data]);
    expect(writes()).toHaveLength(2);
  });

  it('is said to be made if it is sent again while the service fails, and is not made twice', async () => {
    await create();
    setup.upstream.lookup = () => new Response(null, { status: 503 });
    const again = await create();
    expect([again.status, (await again.json()).detail]).toEqual([
      503,
      expect.stringMatching(/^The change was made, but the subscriber can’t be shown\. /),
    ]);
    setup.upstream.lookup = sendOn;
    expect((await create()).status).toBe(200);
    expect(await subscribers()).toHaveLength(1);
  });

  it('gets the token that it made, and no later one', async () => {
    await create();
    const regenerate = () => send('/api/subscribers/1/regenerate-token', 'POST', undefined, other);
    const other = { [changeHeaders.key]: 'a-key-of-its-own-2' };
    const [first, again] = [await regenerate(), await regenerate()];
    expect(again.headers.get(changeHeaders.replayed)).toBe('true');
    expect(await again.json()).toEqual(await first.json());
    const reveals = (await setup.rows('journal')).filter(({ operation }) => operation === 'revealToken');
    expect(reveals).toMatchObject([{ subscriber_id: 1, username: entered.username }]);
    await ann.api.regenerateToken({ params: { id: 1 } });
    expect(await codeIn(await regenerate())).toBe('changed-since');
    expect(writes()).toHaveLength(3);
  });

  it('is tried again if it was refused', async () => {
    await ann.api.createSubscriber({ body: entered });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([422, 422]);
    const requestId = again.headers.get('X-Request-Id');
    expect(await again.json()).toEqual({ ...(await first.json()), requestId });
    expect(writes()).toHaveLength(3);
  });

  it('can be sent again if it was not made', async () => {
    setup.upstream.operation = ({ method }, next) =>
      method === 'POST' ? new Response('', { status: 500 }) : next();
    expect(await outcomeOf(create())).toBe('502 bad-upstream');
    setup.upstream.operation = sendOn;
    const again = await create();
    expect([again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, null]);
    expect(await subscribers()).toHaveLength(1);
  });

  it('is another change if another user has the same key', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    const headers = { [changeHeaders.key]: key };
    const replayed: (string | null)[] = [];
    for (const name of ['support', 'manager', 'support']) {
      const own = { ...headers, Cookie: (await bff.signIn(name)).cookie() };
      const answer = await bff.fetch(ask('PUT', '/api/subscribers/7', { body: { note: 'x' }, headers: own }));
      replayed.push(answer.headers.get(changeHeaders.replayed));
    }
    expect(replayed).toEqual([null, null, 'true']);
    expect(bff.upstream.calls).toHaveLength(2);
  });

  it('is made again if its key is sent after a day', async () => {
    await create();
    setup.time.now += keyLifetime - 60_000;
    expect((await create()).headers.get(changeHeaders.replayed)).toBe('true');
    setup.time.now += 60_000;
    const taken = await create();
    expect([taken.status, taken.headers.get(changeHeaders.replayed)]).toEqual([422, null]);
  });

  it('stores neither the key nor a readable token', async () => {
    await create();
    const before = (await subscribers()).map((row) => row.access_token);
    await (
      await send('/api/subscribers/1/regenerate-token', 'POST', undefined, {
        [changeHeaders.key]: 'one-more-key-here',
      })
    ).text();
    const tokens = [...before, ...(await subscribers()).map((row) => row.access_token)];
    expect(new Set(tokens).size).toBe(2);
    const stored = JSON.stringify([await setup.rows('journal'), setup.logs]);
    for (const secret of [...tokens, key]) expect(stored).not.toContain(secret);
    for (const token of tokens) expect(stored).toContain(token.slice(-4));
  });
});
