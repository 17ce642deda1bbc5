import { beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/contract/http/client.ts';
import { engine } from '../../support/setup/database.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { entered, openRealDesk, type RealDesk } from '../../support/bff/real-service.ts';

type Person = ReturnType<RealDesk['enter']>;

let there: RealDesk;
let [ann, bob]: Person[] = [];
beforeEach(async () => {
  there = await openRealDesk();
  [ann, bob] = [there.enter('manager', 'Ann'), there.enter('support', 'Bob')];
  await person(ann).api.createSubscriber({ body: entered });
});

const person = (one: Person | undefined): Person => one ?? there.enter();
const params = { id: 1 };
const read = async (one = ann) => person(one).api.getSubscriber({ params, query: {} });
const note = (one: Person | undefined, text: string, etag: string | null) =>
  person(one).api.updateSubscriber({ params, body: { note: text } }, { headers: { 'If-Match': etag ?? '' } });
const refusalOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof ApiError)) throw new Error('It was not refused.');
  return error;
};

describe('a change for a version that is no longer there', () => {
  test('is refused before it goes out, with the record as it is and who made it so', async () => {
    const { etag } = await read();
    const mine = await note(bob, 'Bob was here.', etag);
    const sent = there.sent.length;
    const refusal = await refusalOf(note(ann, 'Ann was here.', etag));
    expect(refusal).toMatchObject({ status: 412, code: 'changed-meanwhile' });
    expect(refusal.obstacles).toEqual({
      current: mine.data,
      changedBy: { name: 'Bob', at: expect.stringMatching(/^2026-01-01T/) },
    });
    expect(there.sent.slice(sent)).toEqual([expect.stringMatching(/^GET/)]);
  });

  test('names who made it also where theirs is not closed yet when the record is looked at', async () => {
    const { etag } = await read();
    const [done, looked] = [0, 1].map(() => Promise.withResolvers<void>());
    let others: Promise<unknown> = Promise.resolve();
    let isFirst = true;
    there.faults.next = async (request, go) => {
      if (request.method === 'PUT') {
        const answer = await go();
        done?.resolve();
        await looked?.promise;
        return answer;
      }
      if (!isFirst) return go();
      isFirst = false;
      others = note(bob, 'Bob was here.', etag);
      await done?.promise;
      // Long enough for the refusal to be made of what is known by then.
      setTimeout(() => looked?.resolve(), 20);
      return go();
    };
    const refusal = await refusalOf(note(ann, 'Ann was here.', etag));
    await others;
    expect(refusal.obstacles).toMatchObject({
      current: { note: 'Bob was here.' },
      changedBy: { name: 'Bob' },
    });
  });

  test('names nobody where it was made past the desk, though somebody changed it before', async () => {
    const { etag } = await read();
    await note(bob, 'Bob was here.', etag);
    const past = { note: 'By another way.', version: 9 };
    await there.serviceDb.updateTable('subscribers').set(past).execute();
    const { obstacles } = await refusalOf(note(ann, 'Ann was here.', etag));
    expect(obstacles).toMatchObject({ current: { note: past.note }, changedBy: null });
  });

  test('is refused too where it changes between the desk’s look and the service’s', async () => {
    const { etag } = await read();
    there.faults.next = async (request, go) => {
      if (request.method === 'PUT')
        await there.serviceDb.updateTable('subscribers').set({ note: 'Just now.', version: 9 }).execute();
      return go();
    };
    const refusal = await refusalOf(note(ann, 'Ann was here.', etag));
    expect(refusal).toMatchObject({ status: 412, code: 'changed-meanwhile' });
    expect(refusal.obstacles).toMatchObject({ current: { note: 'Just now.' }, changedBy: null });
    const { items } = (await person(ann).desk.listActivity({ query: {} })).data;
    expect(items[0]).toMatchObject({
      outcome: 'refused',
      code: 'changed-meanwhile',
      after: { note: 'Ann was here.' },
    });
  });

  test.each([
    ['DELETE', '/api/subscribers/1'],
    ['POST', '/api/subscribers/1/regenerate-token'],
  ])('is refused as %s %s too', async (method, path) => {
    const { etag } = await read();
    await note(bob, 'Bob was here.', etag);
    const response = await person(ann).fetch(ask(method, path, { headers: { 'If-Match': etag } }));
    expect([response.status, await codeIn(response)]).toEqual([412, 'changed-meanwhile']);
  });

  test.each(['*', 'ETAG', '"1-77", ETAG'])('is taken with If-Match %s, which allows it', async (text) => {
    const { etag } = await read();
    const done = await note(ann, 'Ann was here.', text.replace('ETAG', etag ?? ''));
    expect(done.data.note).toBe('Ann was here.');
  });
});

describe('changes of one subscriber', () => {
  test('are one at a time, and each gets its turn', async () => {
    let [under, most] = [0, 0];
    there.faults.next = async (request, go) => {
      if (request.method === 'GET') return go();
      most = Math.max(most, (under += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      const answer = await go();
      under -= 1;
      return answer;
    };
    const people = Array.from({ length: 6 }, (_, place) => there.enter('manager', `Person ${place}`));
    await Promise.all(
      people.map((one, place) => one.api.updateSubscriber({ params, body: { maxConnections: place + 10 } })),
    );
    expect(most).toBe(1);
    const { items } = (await person(ann).desk.listActivity({ query: { subscriberId: 1 } })).data;
    // Each says as "before" what the one before has left.
    const chain = items.toReversed().slice(1);
    for (const [place, entry] of chain.entries())
      expect(entry.before?.maxConnections).toBe(chain[place - 1]?.after?.maxConnections ?? 1);
  });

  test('wait for each other only so long', async () => {
    const held = Promise.withResolvers<void>();
    const out = Promise.withResolvers<void>();
    there.faults.next = async (request, go) => {
      if (request.method === 'GET') return go();
      out.resolve();
      await held.promise;
      return go();
    };
    const first = note(ann, 'Slowly.', '*');
    await out.promise;
    const second = person(bob).fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Soon.' } }));
    await new Promise((resolve) => setTimeout(resolve, 30));
    there.time.ahead += 10_000;
    const answer = await second;
    expect([answer.status, await codeIn(answer)]).toEqual([409, 'change-under-way']);
    expect(answer.headers.get('Retry-After')).toBe('5');
    held.resolve();
    expect((await first).data.note).toBe('Slowly.');
  });

  // PostgreSQL waits for a disk each time; what guards the record is the same SQL.
  const rounds = engine === 'postgres' ? 200 : 1000;

  test(`that two editors save at once, ${rounds} times: nobody’s is overwritten unseen`, async () => {
    const lost: number[] = [];
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { etag } = await read();
      const fields = [{ maxConnections: (round % 500) + 2 }, { note: `round ${round}` }] as const;
      const headers = { 'If-Match': etag ?? '' };
      const results = await Promise.allSettled([
        person(ann).api.updateSubscriber({ params, body: fields[0] }, { headers }),
        person(bob).api.updateSubscriber({ params, body: fields[1] }, { headers }),
      ]);
      const winners = results.filter(({ status }) => status === 'fulfilled');
      const losers = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []));
      refused += losers.length;
      const now = (await read()).data;
      const kept = results.every(
        ({ status }, place) =>
          status === 'rejected' ||
          Object.entries(fields[place] ?? {}).every(([name, value]) =>
            Object.entries(now).some(([own, its]) => own === name && its === value),
          ),
      );
      const told = losers.every(
        ({ code, obstacles }) =>
          code === 'changed-meanwhile' &&
          obstacles.current?.note === now.note &&
          obstacles.changedBy !== null,
      );
      if (winners.length !== 1 || !kept || !told) lost.push(round);
    }
    expect({ refused, lost }).toEqual({ refused: rounds, lost: [] });
  }, 120_000);
});
