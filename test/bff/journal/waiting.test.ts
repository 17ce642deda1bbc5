import { beforeEach, describe, expect, it, test } from 'vitest';
import { createBff, type BffDeps } from '../../../src/bff/http/bff.ts';
import { selectChanges } from '../../../src/bff/journal/entries.ts';
import { createWaiting } from '../../../src/bff/journal/waiting.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { createPerson, manage, type Person } from '../../support/bff/person.ts';
import type { Answer } from '../../support/bff/upstream.ts';
import { entered } from '../../support/people.ts';

let desk: TestDesk;
let support: Person;
beforeEach(async () => {
  const people = ['first', 'second'].map((username) => ({ ...entered, username }));
  desk = await createTestDesk({ people, time: runningTime() });
  support = await desk.signIn('support');
});

const note = (text: string, id = 1, one: Pick<Person, 'fetch'> = support, signal?: AbortSignal) => {
  const request = ask('PUT', `/api/subscribers/${id}`, { body: { note: text } });
  return one.fetch(signal ? new Request(request, { signal }) : request);
};
const notes = async () =>
  (await (await desk.serviceDb()).selectFrom('subscribers').select('note').orderBy('id').execute()).map(
    (row) => row.note,
  );
const answerOf = async (response: Response) =>
  response.ok ? '200' : `${response.status} ${await codeIn(response)}`;

/** Holds the first change that is sent until it is let go. */
async function holdFirst(change: () => Promise<Response>) {
  const [sent, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const written: string[] = [];
  desk.upstream.operation = async (request, go) => {
    if (request.method === 'GET') return go();
    written.push(request.body);
    sent.resolve();
    if (written.length === 1) await free.promise;
    return go();
  };
  const answer = change();
  await sent.promise;
  return { answer, written, letGo: free.resolve };
}

/** The same user at another server on the same database. */
function elsewhere(deps: Partial<BffDeps>): Person {
  const bff = createBff({ ...desk.deps, ...deps });
  return createPerson((request) => {
    request.headers.set('Cookie', support.cookie());
    return bff.fetch(request);
  }, 'http://127.0.0.1:8080');
}

describe('a change that waits for another of the same subscriber', () => {
  it('is not made if its user was disabled meanwhile', async () => {
    const manager = await manage(desk);
    const held = await holdFirst(() => note('Held.', 1, manager));
    const waiting = note('Waited.');
    expect((await manager.change('support', { disabled: true })).status).toBe(200);
    held.letGo();
    expect([await answerOf(await held.answer), await answerOf(await waiting)]).toEqual([
      '200',
      '401 not-signed-in',
    ]);
    expect(await notes()).toEqual(['Held.', '']);
  });

  it.each([
    ['signed out', () => support.ask('DELETE', '/bff/session')],
    ['became a viewer', async () => (await manage(desk)).change('support', { role: 'viewer' })],
  ])('is not made at another server if its user %s meanwhile', async (_, end) => {
    const held = await holdFirst(() => note('Held.', 1, desk.as('manager', 'Ann')));
    const looked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const wait = async () => {
      looked.resolve();
      await ended.promise;
    };
    const other = elsewhere({ wait });
    const waiting = note('Waited.', 1, other);
    await looked.promise;
    expect((await end()).ok).toBe(true);
    held.letGo();
    await held.answer;
    ended.resolve();
    expect(await answerOf(await waiting)).toBe('401 not-signed-in');
    expect(held.written).toHaveLength(1);
  });

  it('is not made if its client has gone', async () => {
    const held = await holdFirst(() => note('Held.'));
    const client = new AbortController();
    const waiting = note('Waited.', 1, support, client.signal);
    client.abort();
    expect(await answerOf(await waiting)).toBe('409 change-under-way');
    held.letGo();
    await held.answer;
    expect(await answerOf(await note('Later.', 2))).toBe('200');
    expect(await notes()).toEqual(['Held.', 'Later.']);
  });

  it('is one of at most 20: the next is refused at once, and other subscribers are not concerned', async () => {
    const held = await holdFirst(() => note('0'));
    const answers: string[] = [];
    const waiting = Array.from({ length: 25 }, async (_, index) => {
      const answer = await note(String(index + 1));
      answers.push(await answerOf(answer.clone()));
      return answer;
    });
    await expect.poll(() => answers).toEqual(Array(5).fill('409 change-under-way'));
    expect(await answerOf(await note('Other.', 2))).toBe('200');
    held.letGo();
    const refused = (await Promise.all(waiting)).filter(({ ok }) => !ok);
    expect(refused.map(({ headers }) => headers.get('Retry-After'))).toEqual(Array(5).fill('5'));
    expect(answers.filter((answer) => answer === '200')).toHaveLength(20);
    expect(held.written).toHaveLength(22);
  });

  it('counts once with the key of one that waits as well, and gets the same answer', async () => {
    const held = await holdFirst(() => note('Held.'));
    const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
    const same = Array.from({ length: 50 }, () =>
      support.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Same.' }, headers })),
    );
    const other = note('Other.');
    held.letGo();
    const answers = await Promise.all([...same, other]);
    expect(new Set(await Promise.all(answers.map(answerOf)))).toEqual(new Set(['200']));
    expect(held.written).toHaveLength(3);
  });
});

describe('a change whose user is signed out while the record is read', () => {
  it('is neither made nor entered', async () => {
    const lookup: Answer = async (_, go) => {
      await support.ask('DELETE', '/bff/session');
      return go();
    };
    desk.upstream.lookup = lookup;
    expect(await answerOf(await note('Late.'))).toBe('401 not-signed-in');
    expect(await notes()).toEqual(['', '']);
    expect(await selectChanges(desk.db).execute()).toEqual([]);
  });
});

test('the answer to an earlier request with the same key is not given to a session that has ended', async () => {
  const headers = { [changeHeaders.key]: 'one-key-for-this-change' };
  const send = (one: Person) =>
    one.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Once.' }, headers }));
  const held = await holdFirst(() => send(support));
  const looked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const wait = async () => {
    looked.resolve();
    await ended.promise;
  };
  const again = send(elsewhere({ wait }));
  await looked.promise;
  held.letGo();
  expect(await answerOf(await held.answer)).toBe('200');
  await support.ask('DELETE', '/bff/session');
  ended.resolve();
  expect(await answerOf(await again)).toBe('401 not-signed-in');
});

describe('the pause between two looks at another server’s change', () => {
  const open = (seed: number, work: (time: { now: number }, ms: number) => unknown) => {
    const time = { now: 1_000_000 };
    const pauses: number[] = [];
    const client = new AbortController();
    const wait = async (ms: number) => {
      pauses.push(ms);
      work(time, ms);
    };
    const { bytes } = createSeededRandom(seed);
    const waitLonger = createWaiting({ clock: () => time.now, wait, random: bytes }, client.signal);
    const waitToTheEnd = async () => {
      for (;;) await waitLonger('others');
    };
    return { pauses, client, waitToTheEnd };
  };
  const passes = (time: { now: number }, ms: number) => void (time.now += ms);

  it('grows to a second, differs from one waiting change to the next, and ends after 10 seconds', async () => {
    const runs = [open(1, passes), open(2, passes)];
    for (const { waitToTheEnd } of runs)
      await expect(waitToTheEnd()).rejects.toMatchObject({ code: 'change-under-way' });
    const [first, second] = runs.map(({ pauses }) => pauses);
    expect(first).not.toEqual(second);
    for (const pauses of [first ?? [], second ?? []]) {
      expect(pauses.length).toBeLessThan(25);
      expect(pauses[0]).toBeLessThanOrEqual(40);
      expect(pauses.at(-1)).toBeGreaterThanOrEqual(500);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(1000);
      const sum = pauses.reduce((total, ms) => total + ms, 0);
      expect(sum).toBeGreaterThan(10_000);
      expect(sum).toBeLessThan(11_000);
    }
  });

  it('ends when the client goes', async () => {
    const { pauses, client, waitToTheEnd } = open(1, () => pauses.length === 3 && client.abort());
    await expect(waitToTheEnd()).rejects.toMatchObject({ code: 'change-under-way' });
    expect(pauses).toHaveLength(3);
  });
});

test('a change that its server sends too long after it began is not made, since another one may have closed it as failed', async () => {
  const blocked = desk.deps.db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('"journal"'))
        desk.time.now += 4_001;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const late = elsewhere({ db: blocked });
  expect(await answerOf(await note('Late.', 1, late))).toBe('503 busy');
  expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  const [entry] = (await support.bff.listActivity({ query: {} })).data.items;
  expect(entry).toMatchObject({ operation: 'updateSubscriber', outcome: 'failed' });
});
