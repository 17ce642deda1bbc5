import { beforeEach, describe, expect, it, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { abandonedAfter } from '../../../src/bff/journal/reconcile.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { createTestDesk, journalKey, runningTime, type TestDesk } from '../../support/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';
import { ask, codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn } from '../../support/bff/upstream.ts';
import { entered } from '../../support/people.ts';

const mac = createMac(journalKey);
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const jump = 500 * day;

describe('maintenance that deletes entries after 90 days', () => {
  let desk: TestDesk;
  beforeEach(async () => {
    desk = await createTestDesk({ staff: {}, journalDays: 90 });
    await addEntries(desk.db, mac, [done], desk.time.now - 80 * day, 'early');
    await addEntries(desk.db, mac, [done], desk.time.now - 2 * day, 'recent');
    await addEntries(desk.db, mac, [done], desk.time.now - hour, 'today');
  });
  const idsLeft = async () =>
    (await desk.db.selectFrom('journal').select('id').orderBy('seq').execute()).map(({ id }) => id);
  const all = ['early-0', 'recent-0', 'today-0'];

  it('deletes nothing while the clock is 500 days ahead for a minute, nor after it', async () => {
    await desk.runMaintenance();
    desk.time.now += jump;
    await desk.runMaintenance();
    desk.time.now -= jump - minute;
    await desk.runMaintenance();
    expect(await idsLeft()).toEqual(all);
    const jumps = desk.logs.filter(({ event }) => event === 'clock-jumped').map(({ ms }) => ms);
    expect(jumps).toEqual([jump, minute - jump]);
  });

  it('deletes nothing while it is ahead, although what staff do then is an entry of then', async () => {
    await desk.runMaintenance();
    desk.time.now += jump;
    await addEntries(desk.db, mac, [done], desk.time.now - minute, 'ahead');
    await desk.runMaintenance();
    expect(await idsLeft()).toEqual([...all, 'ahead-0']);
    // It need not have run before: another server may have started just now.
    await desk.as('manager', 'Ann').runMaintenance();
    expect(await idsLeft()).toEqual([...all, 'ahead-0']);
    desk.time.now -= jump;
    await desk.runMaintenance();
    await desk.as('manager', 'Ann').runMaintenance();
    expect(await idsLeft()).toEqual([...all, 'ahead-0']);
    expect(await verifyJournal(desk.db, mac)).toMatchObject({ entries: 4 });
  });

  it('deletes what is old at its first run, because the entries show that the time is right', async () => {
    desk.time.now += 12 * day;
    await addEntries(desk.db, mac, [done], desk.time.now - day, 'yesterday');
    await desk.runMaintenance();
    expect(await idsLeft()).toEqual(['recent-0', 'today-0', 'yesterday-0']);
  });

  it('waits for a day without a jump where no entry shows that the time is right', async () => {
    desk.time.now += jump;
    // As every minute; any pause below an hour will do.
    for (let passed = 0; passed < day; passed += hour / 2) {
      await desk.runMaintenance();
      desk.time.now += hour / 2;
    }
    expect(await idsLeft()).toEqual(all);
    // It looks for old entries once an hour.
    for (const _ of [1, 2]) {
      await desk.runMaintenance();
      desk.time.now += hour / 2;
    }
    expect(await idsLeft()).toEqual([]);
  });

  it('begins to wait again after each jump, also back', async () => {
    desk.time.now += jump;
    for (let passed = 0; passed < 3 * day; passed += hour / 2) {
      await desk.runMaintenance();
      desk.time.now += passed % (12 * hour) === 0 ? 2 * hour : -hour / 2;
    }
    expect(await idsLeft()).toEqual(all);
  });

  it('goes on after the clock was ahead for long and came back', async () => {
    desk.time.now += jump;
    await desk.runMaintenance();
    desk.time.now -= jump;
    desk.time.now += 12 * day;
    await addEntries(desk.db, mac, [done], desk.time.now - day, 'yesterday');
    await desk.runMaintenance();
    expect(await idsLeft()).toEqual(['recent-0', 'today-0', 'yesterday-0']);
  });
});

describe('a change that was begun by a clock that is ten years ahead, and whose server died', () => {
  const years = 3650 * day;
  let desk: TestDesk;
  let ann: ReturnType<TestDesk['as']>;
  beforeEach(async () => {
    desk = await createTestDesk({ people: [entered], staff: {}, time: runningTime() });
    ann = desk.as('manager', 'Ann');
    desk.time.now += years;
    const gone = Promise.withResolvers<void>();
    desk.upstream.operation = async (request, go) => {
      if (request.method === 'GET') return go();
      gone.resolve();
      return new Promise<Response>(() => undefined);
    };
    void note('Lost.', desk.as('manager', 'Bob'));
    await gone.promise;
    desk.upstream.operation = sendOn;
    desk.time.now -= years;
  });
  const note = (text: string, one = ann) =>
    one.fetch(ask('PUT', '/api/subscribers/1', { body: { note: text } }));
  const outcomes = async () => {
    const rows = await desk.db.selectFrom('journal').select('outcome').orderBy('seq').execute();
    return rows.map(({ outcome }) => outcome);
  };

  it('is settled by the maintenance of each server 20 seconds after it was seen first', async () => {
    const other = desk.as('manager', 'Eva');
    await Promise.all([ann.runMaintenance(), other.runMaintenance()]);
    expect(await outcomes()).toEqual([null]);
    desk.time.now += abandonedAfter + 1000;
    await Promise.all([ann.runMaintenance(), other.runMaintenance()]);
    expect(await outcomes()).toEqual(['failed']);
    expect((await note('Next.')).status).toBe(200);
    expect(await verifyJournal(desk.db, mac)).toMatchObject({ entries: 2 });
  });

  it('is settled by the next change, which then is made', async () => {
    let waits = 0;
    const wait = async (ms: number) => {
      waits += 1;
      await desk.deps.wait?.(ms);
    };
    const patient = desk.as('manager', 'Eva', { wait });
    const first = note('Next.', patient);
    expect(await outcomeOf(first)).toBe('409 change-under-way');
    expect(waits).toBeGreaterThan(5);
    desk.time.now += abandonedAfter;
    expect((await note('Next.', patient)).status).toBe(200);
    expect(await outcomes()).toEqual(['failed', 'done']);
  });

  it('is settled where the clock is set back again before', async () => {
    await ann.runMaintenance();
    desk.time.now -= years;
    await ann.runMaintenance();
    desk.time.now += abandonedAfter + 1000;
    await ann.runMaintenance();
    expect(await outcomes()).toEqual(['failed']);
  });
});

test.each([3650 * day, -3650 * day])(
  'a change is not sent if the clock jumps by %d ms after its beginning was written',
  async (ms) => {
    const desk = await createTestDesk({ people: [entered], staff: {}, time: runningTime() });
    const { db, time } = desk;
    const execute = db.transaction.bind(db);
    // The beginning is the first transaction that makes an entry; one that found something in its way makes none.
    db.transaction = () => {
      const builder = execute();
      const run = builder.execute.bind(builder);
      return Object.assign(builder, {
        execute: async (work: Parameters<typeof run>[0]) => {
          const begun = await run(work);
          if (begun === null) return begun;
          db.transaction = execute;
          time.now += ms;
          return begun;
        },
      });
    };
    const answer = await desk
      .as('manager', 'Ann')
      .fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'Late.' } }));
    // It was not the service that took too long, and it may be tried again.
    expect([answer.status, await codeIn(answer), answer.headers.get('Retry-After')]).toEqual([
      503,
      'busy',
      '1',
    ]);
    expect(desk.upstream.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
    const rows = await desk.db.selectFrom('journal').select('outcome').execute();
    expect(rows).toEqual([{ outcome: 'failed' }]);
  },
);
