import { beforeEach, describe, expect, it, test } from 'vitest';
import { ApiError } from '../../../src/contract/http/client.ts';
import { changesIn } from '../../support/bff/entries.ts';
import { createTestDesk, runningTime, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import type { Answer } from '../../support/bff/upstream.ts';
import { entered } from '../../support/people.ts';
import { roundsOf } from '../../support/setup/rounds.ts';

type Person = ReturnType<TestDesk['as']>;

let setup: TestDesk;
let [ann, bob]: Person[] = [];
beforeEach(async () => {
  setup = await createTestDesk({ staff: {}, time: runningTime() });
  [ann, bob] = [setup.as('manager', 'Ann'), setup.as('support', 'Bob')];
  await person(ann).api.createSubscriber({ body: entered });
});

const person = (one: Person | undefined): Person => one ?? setup.as('manager');
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

test.each(['nginx', 'Caddy'])(
  'a change is made where %s between browser and server packs answers, and is refused for an older version',
  async (proxy) => {
    const packed = (etag: string | null) => (proxy === 'nginx' ? `W/${etag}` : `${etag?.slice(0, -1)}-gzip"`);
    const { etag } = await read();
    expect((await note(ann, 'Ann was here.', packed(etag))).data.note).toBe('Ann was here.');
    expect(setup.upstream.calls.at(-1)?.headers['if-match']).toBe(etag);
    expect(await refusalOf(note(bob, 'Bob was here.', packed(etag)))).toMatchObject({
      code: 'changed-meanwhile',
    });
  },
);

test.each(['nginx', 'Caddy'])(
  'a change is made where %s between server and service packs answers, and is refused for an older version',
  async (proxy) => {
    const pack: Answer = async (_, next) => {
      const answer = await next();
      const etag = answer.headers.get('ETag');
      if (etag) answer.headers.set('ETag', proxy === 'nginx' ? `W/${etag}` : `${etag.slice(0, -1)}-gzip"`);
      return answer;
    };
    Object.assign(setup.upstream, { operation: pack, lookup: pack });
    const { etag } = await read();
    expect((await note(ann, 'Ann was here.', etag)).data.note).toBe('Ann was here.');
    const older = note(bob, 'Bob was here.', etag);
    expect(await refusalOf(older)).toMatchObject({ code: 'changed-meanwhile' });
  },
);

describe('a service that says the version only where it is read', () => {
  beforeEach(() => {
    setup.upstream.operation = async ({ method }, next) => {
      const answer = await next();
      if (method !== 'GET') answer.headers.delete('ETag');
      return answer;
    };
  });

  it('has a second change made with the version that the first one was answered with', async () => {
    const first = await note(ann, 'First.', (await read()).etag);
    const second = await note(ann, 'Second.', first.etag);
    expect(second.data.note).toBe('Second.');
  });

  it('has that refused where somebody else was faster, who is named', async () => {
    const first = await note(ann, 'First.', (await read()).etag);
    await note(bob, 'Bob was here.', first.etag);
    expect((await refusalOf(note(ann, 'Second.', first.etag))).obstacles).toMatchObject({
      current: { note: 'Bob was here.' },
      changedBy: { name: 'Bob' },
    });
  });
});

test('an update that a proxy sends twice is made, although its first sending has taken the version of the second', async () => {
  const { etag } = await read();
  setup.upstream.operation = async ({ method }, next) => {
    const answer = await next();
    return method === 'PUT' ? Response.json({}, { status: 412 }) : answer;
  };
  expect((await note(ann, 'Ann was here.', etag)).data.note).toBe('Ann was here.');
  const [newest] = changesIn((await person(ann).bff.listActivity({ query: {} })).data.items);
  expect(newest).toMatchObject({ outcome: 'done', after: { note: 'Ann was here.' } });
});

test('a deletion that a proxy sends twice is made, although the second finds nobody', async () => {
  setup.upstream.operation = async ({ method }, next) => {
    const answer = await next();
    return method === 'DELETE' ? next() : answer;
  };
  expect((await person(ann).api.deleteSubscriber({ params })).data.id).toBe(1);
  const [newest] = changesIn((await person(ann).bff.listActivity({ query: {} })).data.items);
  expect(newest).toMatchObject({ operation: 'deleteSubscriber', outcome: 'done' });
});

describe('a change with the If-Match of an older version', () => {
  it('is refused before it is sent, with the current record and who changed it', async () => {
    const { etag } = await read();
    const mine = await note(bob, 'Bob was here.', etag);
    const { calls, lookups } = setup.upstream;
    calls.length = 0;
    lookups.length = 0;
    const refusal = await refusalOf(note(ann, 'Ann was here.', etag));
    expect(refusal).toMatchObject({ status: 412, code: 'changed-meanwhile' });
    expect(refusal.obstacles).toEqual({
      current: mine.data,
      changedBy: { name: 'Bob', singleSignOn: false, at: expect.stringMatching(/^2026-01-01T/) },
    });
    expect([calls.length, lookups.length]).toEqual([0, 1]);
  });

  it('names who changed the record, even if their change is still running when the record is read', async () => {
    const { etag } = await read();
    const [done, looked] = [0, 1].map(() => Promise.withResolvers<void>());
    let others: Promise<unknown> = Promise.resolve();
    let isFirst = true;
    // Ann's change waits as soon as it finds that the other change is running.
    const wait = async (ms: number) => {
      looked?.resolve();
      await setup.deps.wait?.(ms);
    };
    const slow = setup.as('manager', 'Ann', { wait });
    const answer: Answer = async (request, go) => {
      if (request.method === 'PUT') {
        const answered = await go();
        done?.resolve();
        await looked?.promise;
        return answered;
      }
      if (!isFirst) return go();
      isFirst = false;
      others = note(bob, 'Bob was here.', etag);
      await done?.promise;
      return go();
    };
    Object.assign(setup.upstream, { operation: answer, lookup: answer });
    const refusal = await refusalOf(note(slow, 'Ann was here.', etag));
    looked?.resolve();
    await others;
    expect(refusal.obstacles).toMatchObject({
      current: { note: 'Bob was here.' },
      changedBy: { name: 'Bob' },
    });
  });

  it('names no one if the last change was not made through the BFF', async () => {
    const { etag } = await read();
    await note(bob, 'Bob was here.', etag);
    const past = { note: 'By another way.', version: 9 };
    await (await setup.serviceDb()).updateTable('subscribers').set(past).execute();
    const { obstacles } = await refusalOf(note(ann, 'Ann was here.', etag));
    expect(obstacles).toMatchObject({ current: { note: past.note }, changedBy: null });
  });

  it('is refused if the record changes between the BFF’s read and the write', async () => {
    const { etag } = await read();
    setup.upstream.operation = async (request, go) => {
      if (request.method === 'PUT')
        await (
          await setup.serviceDb()
        )
          .updateTable('subscribers')
          .set({ note: 'Just now.', version: 9 })
          .execute();
      return go();
    };
    // Also one that changes nothing, which looks made.
    expect(await refusalOf(note(ann, entered.note, etag))).toMatchObject({ code: 'changed-meanwhile' });
    await (await setup.serviceDb()).updateTable('subscribers').set({ version: 1 }).execute();
    const refusal = await refusalOf(note(ann, 'Ann was here.', etag));
    expect(refusal).toMatchObject({ status: 412, code: 'changed-meanwhile' });
    expect(refusal.obstacles).toMatchObject({ current: { note: 'Just now.' }, changedBy: null });
    const { items } = (await person(ann).bff.listActivity({ query: {} })).data;
    expect(items[0]).toMatchObject({
      outcome: 'refused',
      code: 'changed-meanwhile',
      after: { note: 'Ann was here.' },
    });
  });

  it.each(['*', '"1-77", ETAG'])(
    'is made with If-Match %s, which allows the current version',
    async (text) => {
      const { etag } = await read();
      const done = await note(ann, 'Ann was here.', text.replace('ETAG', etag ?? ''));
      expect(done.data.note).toBe('Ann was here.');
    },
  );

  it.each(['*', null])(
    'keeps what others change of another field meanwhile with If-Match %s',
    async (text) => {
      setup.upstream.operation = async ({ method }, go) => {
        if (method === 'PUT') await setup.service.updateSubscriber({ params, body: { maxConnections: 7 } });
        return go();
      };
      const headers: Record<string, string> = text === null ? {} : { 'If-Match': text };
      await person(ann).api.updateSubscriber({ params, body: { note: 'Ann was here.' } }, { headers });
      expect(await setup.saved()).toMatchObject({ note: 'Ann was here.', maxConnections: 7 });
    },
  );
});

describe('one of several simultaneous changes of a subscriber', () => {
  it('is sent when the one before has ended, and all are made', async () => {
    const bodies = Array.from({ length: 6 }, (_, index) => ({ maxConnections: index + 10 }));
    // No change ends before each of the six was sent or has found another one running.
    const arrived = new Set<string>();
    const all = Promise.withResolvers<void>();
    const arrive = (body: string) => {
      if (arrived.add(body).size === bodies.length) all.resolve();
    };
    let [underWay, most] = [0, 0];
    setup.upstream.operation = async (request, go) => {
      if (request.method === 'GET') return go();
      most = Math.max(most, (underWay += 1));
      arrive(request.body);
      await all.promise;
      const answer = await go();
      underWay -= 1;
      return answer;
    };
    await Promise.all(
      bodies.map((body, index) => {
        const wait = async (ms: number) => {
          arrive(JSON.stringify(body));
          await setup.deps.wait?.(ms);
        };
        const one = setup.as('manager', `Person ${index}`, { wait });
        return one.api.updateSubscriber({ params, body });
      }),
    );
    expect(most).toBe(1);
    const { items } = (await person(ann).bff.listActivity({ query: { subscriberId: 1 } })).data;
    // The "before" of each entry is the "after" of the previous one.
    const chain = changesIn(items).toReversed().slice(1);
    for (const [index, entry] of chain.entries())
      expect(entry.before?.maxConnections).toBe(chain[index - 1]?.after?.maxConnections ?? 1);
  });

  it('is refused after it has waited 10 seconds for another one', async () => {
    const held = Promise.withResolvers<void>();
    const out = Promise.withResolvers<void>();
    setup.upstream.operation = async (request, go) => {
      if (request.method === 'GET') return go();
      out.resolve();
      await held.promise;
      return go();
    };
    const first = note(ann, 'Slowly.', '*');
    await out.promise;
    const wait = async (ms: number) => {
      setup.time.now += 10_000;
      await setup.deps.wait?.(ms);
    };
    const second = setup.as('support', 'Bob', { wait });
    const answer = await second.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Soon.' } }));
    expect(await outcomeOf(answer)).toBe('409 change-under-way');
    expect(answer.headers.get('Retry-After')).toBe('5');
    held.resolve();
    expect((await first).data.note).toBe('Slowly.');
  });

  test('two editors at the same moment end with one change made and the other refused with what changed, each time', async () => {
    const rounds = roundsOf(200, 1000);
    const faulty: number[] = [];
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
      const stored = results.every(
        ({ status }, index) =>
          status === 'rejected' ||
          Object.entries(fields[index] ?? {}).every(([name, value]) =>
            Object.entries(now).some(([own, its]) => own === name && its === value),
          ),
      );
      const reported = losers.every(
        ({ code, obstacles }) =>
          code === 'changed-meanwhile' &&
          obstacles.current?.note === now.note &&
          obstacles.changedBy !== null,
      );
      if (winners.length !== 1 || !stored || !reported) faulty.push(round);
    }
    expect({ refused, faulty }).toEqual({ refused: rounds, faulty: [] });
  });
});
