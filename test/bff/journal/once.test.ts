import { beforeEach, describe, expect, test } from 'vitest';
import { keyLifetime } from '../../../src/contract/http/sealed-answer.ts';
import { changeHeaders, changeLimits } from '../../../src/contract/http/change-headers.ts';
import type { connect } from '../../support/bff/real-service.ts';
import { entered, openRealDesk, type RealDesk } from '../../support/bff/real-service.ts';
import { ask, codeIn, signIn } from '../../support/bff/browser.ts';
import { openStaffedDesk } from '../../support/bff/desk.ts';

let there: RealDesk;
let ann: ReturnType<typeof connect>;
beforeEach(async () => {
  there = await openRealDesk();
  ann = there.enter('manager', 'Ann');
});

const key = 'a-key-of-its-own-1';
const send = (
  path: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
  who = ann,
) => who.fetch(ask(method, path, { body, headers: { [changeHeaders.key]: key, ...headers } }));
const create = (change: object = {}, headers: Record<string, string> = {}) =>
  send('/api/subscribers', 'POST', { ...entered, ...change }, headers);
const writes = () => there.sent.filter((line) => !line.startsWith('GET'));
const subscribers = () => there.serviceDb.selectFrom('subscribers').selectAll().execute();

describe('a change with a key', () => {
  test('sent 50 times at once is done once, and all get the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create()));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('ETag')}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get(changeHeaders.replayed) === 'true')).toHaveLength(49);
    expect(writes()).toEqual(['POST /subscribers']);
    expect(await subscribers()).toHaveLength(1);
  });

  test('and another body is refused, and named', async () => {
    await create();
    const other = await create({ note: 'another' });
    expect(await codeIn(other.clone())).toBe('key-used-before');
    expect([other.status, (await other.json()).errors]).toEqual([
      422,
      { [changeHeaders.key]: [expect.stringMatching(/Use a new one/)] },
    ]);
    const elsewhere = await send('/api/subscribers/1', 'PUT', { note: 'x' });
    expect(elsewhere.status).toBe(422);
    expect(writes()).toHaveLength(1);
  });

  test('and another body at the same moment is refused too', async () => {
    const both = await Promise.all([create(), create({ username: 'bob' })]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(await subscribers()).toHaveLength(1);
  });

  test('and the same body in another order is the same change', async () => {
    await create();
    const reversed = Object.fromEntries(Object.entries(entered).toReversed());
    const again = await send('/api/subscribers', 'POST', reversed);
    expect([again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, 'true']);
  });

  test('whose answer was lost on the way is answered when sent again, at another desk too', async () => {
    const first = await (await create()).text();
    const again = await send('/api/subscribers', 'POST', entered, {}, there.enter('manager', 'Ann'));
    expect(await again.text()).toBe(first);
    expect(await subscribers()).toHaveLength(1);
  });

  test('whose stored answer cannot be read is not done again, and the record is answered as it is now', async () => {
    const first = await (await create()).json();
    await there.db.updateTable('once').set({ answer: 'sealed.elsewhere' }).execute();
    const again = await create();
    expect([again.status, await again.json()]).toEqual([200, first]);
    expect(writes()).toEqual(['POST /subscribers']);
  });

  test('that was refused is refused the same', async () => {
    await ann.api.createSubscriber({ body: entered });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([422, 422]);
    expect(await again.text()).toBe(await first.text());
    expect(writes()).toHaveLength(2);
  });

  test('that was not done can be tried again', async () => {
    there.faults.next = async (request, go) =>
      request.method === 'POST' ? new Response('', { status: 500 }) : go();
    const failed = await create();
    expect([failed.status, await codeIn(failed)]).toEqual([502, 'bad-upstream']);
    there.faults.next = null;
    const again = await create();
    expect([again.status, again.headers.get(changeHeaders.replayed)]).toEqual([200, null]);
    expect(await subscribers()).toHaveLength(1);
  });

  test('is another’s where somebody else has the same key', async () => {
    const desk = await openStaffedDesk();
    const headers = { [changeHeaders.key]: key };
    const replayed: (string | null)[] = [];
    for (const name of ['support', 'manager', 'support']) {
      const own = { ...headers, Cookie: await signIn(desk, name) };
      const answer = await desk.fetch(
        ask('PUT', '/api/subscribers/7', { body: { note: 'x' }, headers: own }),
      );
      replayed.push(answer.headers.get(changeHeaders.replayed));
    }
    expect(replayed).toEqual([null, null, 'true']);
    expect(desk.upstream.calls).toHaveLength(2);
  });

  test('is forgotten after a day', async () => {
    await create();
    there.time.ahead += keyLifetime - 60_000;
    expect((await create()).headers.get(changeHeaders.replayed)).toBe('true');
    there.time.ahead += 60_000;
    const taken = await create();
    expect([taken.status, taken.headers.get(changeHeaders.replayed)]).toEqual([422, null]);
    expect(await there.db.selectFrom('once').select('key_hash').execute()).toHaveLength(1);
  });

  test('keeps neither the key nor a token that anybody could read', async () => {
    const { accessToken } = await (await create()).json();
    await (
      await send('/api/subscribers/1/regenerate-token', 'POST', undefined, {
        [changeHeaders.key]: 'one-more-key-here',
      })
    ).text();
    const tokens = [accessToken, ...(await subscribers()).map((row) => row.access_token)];
    const kept = JSON.stringify([
      await there.db.selectFrom('once').selectAll().execute(),
      await there.db.selectFrom('journal').selectAll().execute(),
      await there.db.selectFrom('journal_links').selectAll().execute(),
      there.logs,
    ]);
    for (const secret of [...tokens, key]) expect(kept).not.toContain(secret);
    expect(kept).toContain(accessToken.slice(-4));
  });
});

describe('what a change carries beside its body', () => {
  test.each([
    ['too short a key', { [changeHeaders.key]: 'x'.repeat(changeLimits.key.least - 1) }],
    ['too long a key', { [changeHeaders.key]: 'x'.repeat(changeLimits.key.most + 1) }],
    ['a key with a blank', { [changeHeaders.key]: 'x'.repeat(16) + ' x' }],
    ['too long a reason', { [changeHeaders.reason]: 'x'.repeat(changeLimits.reason + 1) }],
    ['a reason of two lines', { [changeHeaders.reason]: 'one%0Atwo' }],
    ['a reason that cannot be decoded', { [changeHeaders.reason]: '%E0%A4%A' }],
  ])('is refused with %s, which is named', async (_, headers: Record<string, string>) => {
    const answer = await create({}, headers);
    expect([answer.status, Object.keys((await answer.json()).errors)]).toEqual([422, Object.keys(headers)]);
    expect(there.sent).toEqual([]);
  });
});
