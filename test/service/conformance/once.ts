import { describe, expect, test } from 'vitest';
import { changeHeaders, changeLimits } from '../../../src/contract/http/change-headers.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

const { key: keyHeader, replayed } = changeHeaders;

/** Keys that nobody has used yet: a service remembers them for a day, from one run of the suite to the next. */
const newKey = () => `conformance-${crypto.randomUUID()}`;
const withKey = (key: string) => ({ headers: { [keyHeader]: key } });

/** What of an answer is the same whenever it is given again. */
async function factsOf(response: Response): Promise<unknown> {
  return [response.status, response.headers.get('ETag'), await response.text()];
}

interface Kind {
  name: string;
  /** A change that can be sent as it is, of a subscriber that is there. */
  prepare: (caller: Caller) => Promise<{ method: string; path: string; body?: object }>;
}

const made = async ({ client, anna }: Caller) => (await client.createSubscriber({ body: anna })).data.id;
const kinds: Kind[] = [
  {
    name: 'createSubscriber',
    prepare: async ({ annaWhole }) => ({ method: 'POST', path: '/subscribers', body: annaWhole }),
  },
  {
    name: 'updateSubscriber',
    prepare: async (caller) => ({
      method: 'PUT',
      path: `/subscribers/${await made(caller)}`,
      body: { note: 'changed once' },
    }),
  },
  {
    name: 'deleteSubscriber',
    prepare: async (caller) => ({ method: 'DELETE', path: `/subscribers/${await made(caller)}` }),
  },
  {
    name: 'regenerateToken',
    prepare: async (caller) => ({
      method: 'POST',
      path: `/subscribers/${await made(caller)}/regenerate-token`,
    }),
  },
];

/** An extension of ours: with a key, a change whose answer was lost can be sent again. */
export function once(begin: Begin): void {
  describe.each(kinds)('on $name', ({ prepare }) => {
    eachKind(begin, prepare);
  });

  test('is one client’s own, and of one change: with another it is refused, and nothing is changed', async () => {
    const { send, client, anna, named } = await begin();
    const key = newKey();
    await send('POST', '/subscribers', { body: anna, ...withKey(key) });
    const body = { ...anna, username: named('Bert') };
    expect(await problemOf(await send('POST', '/subscribers', { body, ...withKey(key) }))).toMatchObject({
      problem: '422 key-used-before',
      fields: [keyHeader],
    });
    expect((await client.listSubscribers({ query: { Username: named('') } })).data.totalCount).toBe(1);
  });

  test('of a change that was refused may be sent again', async () => {
    const { send, client, anna, named } = await begin();
    const taken = (await client.createSubscriber({ body: anna })).data;
    const key = newKey();
    const again = () => send('POST', '/subscribers', { body: anna, ...withKey(key) });
    expect((await again()).status).toBe(422);
    await client.updateSubscriber({ params: { id: taken.id }, body: { username: named('Bert') } });
    const done = await again();
    expect([done.status, done.headers.get(replayed)]).toEqual([200, null]);
  });

  test.each(['short', 'with a blank in it', 'x'.repeat(changeLimits.key.most + 1)])(
    'that is none is refused by its name: %s',
    async (key) => {
      const { send, client, anna } = await begin();
      const refused = await problemOf(await send('POST', '/subscribers', { body: anna, ...withKey(key) }));
      expect(refused).toMatchObject({ problem: '422 invalid-input', fields: [keyHeader] });
      const query = { Username: anna.username };
      expect((await client.listSubscribers({ query })).data.totalCount).toBe(0);
    },
  );
}

function eachKind(begin: Begin, prepare: Kind['prepare']): void {
  test('does the change once and answers the same again, which it says', async () => {
    const caller = await begin();
    const { method, path, body } = await prepare(caller);
    const key = newKey();
    const send = () => caller.send(method, path, { ...(body && { body }), ...withKey(key) });
    const first = await send();
    expect([first.status, first.headers.get(replayed)]).toEqual([200, null]);
    const again = await send();
    expect(again.headers.get(replayed)).toBe('true');
    expect(await factsOf(again)).toEqual(await factsOf(first));
  });

  test('does it once for 50 who send it at once, and answers all of them the same', async () => {
    const caller = await begin();
    const { method, path, body } = await prepare(caller);
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => caller.send(method, path, { ...(body && { body }), ...withKey(key) })),
    );
    expect(answers.filter(({ headers }) => headers.get(replayed) === null)).toHaveLength(1);
    const facts = new Set(
      await Promise.all(answers.map(async (each) => JSON.stringify(await factsOf(each)))),
    );
    expect([answers[0]?.status, facts.size]).toEqual([200, 1]);
  });
}
