import type { Kysely, Transaction } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { abandonedAfter } from '../../../src/bff/journal/reconcile.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { changeUnconfirmed, databaseUnavailable } from '../../../src/server/sql/refusals.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn, type Seen } from '../../support/bff/upstream.ts';
import { entered } from '../../support/people.ts';

/** Replaces a transaction of the BFF. */
type Fault = (run: () => Promise<unknown>) => Promise<unknown>;

const deleted: Fault = () => Promise.reject(databaseUnavailable(new Error('made up')));
/** Its commit was on its way, and did not arrive. */
const lost: Fault = () => Promise.reject(changeUnconfirmed(new Error('made up')));
/** Its commit was done, and the answer to it did not arrive. */
const unconfirmed: Fault = async (run) => {
  await run();
  return lost(run);
};

let setup: TestDesk;
let ann: ReturnType<TestDesk['as']>;
/** The faults of the next transactions, one each. */
let next: Fault[];
beforeEach(async () => {
  setup = await createTestDesk({ staff: {}, people: [entered] });
  next = [];
  ann = setup.as('manager', 'Ann', { db: withFaults(setup.db) });
});

/** Another way to the same database, on which transactions fail. */
function withFaults(db: Kysely<BffTables>): Kysely<BffTables> {
  const faulty = db.withoutPlugins();
  const begin = faulty.transaction.bind(faulty);
  faulty.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    return Object.assign(builder, {
      async execute<T>(work: (tx: Transaction<BffTables>) => Promise<T>) {
        const run = () => execute(work);
        const fault = next.shift();
        return fault ? ((await fault(run)) as T) : run();
      },
    });
  };
  return faulty;
}

const isWrite = ({ method }: Seen) => method !== 'GET';
const breakOff = () => Promise.reject(new Error('socket hang up'));

const change = () =>
  ann.fetch(
    ask('PUT', '/api/subscribers/1', {
      body: { note: 'Called.' },
      headers: { [changeHeaders.key]: 'one-key-for-this-change' },
    }),
  );
const entries = () => setup.db.selectFrom('journal').select(['outcome', 'after']).orderBy('seq').execute();

/** Faults of the transactions from the moment on that the service has answered the change. */
const atOutcome = (...faults: Fault[]): void => {
  setup.upstream.operation = async (request, go) => {
    const answer = await go();
    if (isWrite(request)) next = faults;
    return answer;
  };
};

/** The service makes the change and breaks off, and then cannot be read a few times. */
const unreadable = (...faults: Fault[]): void => {
  let reads = 0;
  setup.upstream.operation = async (request, go) => {
    const answer = await go();
    if (!isWrite(request)) return answer;
    [reads, next] = [4, faults];
    return breakOff();
  };
  setup.upstream.lookup = (_, go) => (reads-- > 0 ? breakOff() : go());
};

describe('a change during which the database is gone for a moment', () => {
  it.each<[string, () => void]>([
    ['its beginning is written, and nobody said so', () => (next = [unconfirmed, deleted, deleted])],
    ['nobody said that its beginning is not written', () => (next = [lost, deleted, deleted])],
    ['its outcome cannot be written', () => atOutcome(deleted, deleted, deleted, deleted, deleted)],
    ['its outcome is written, and nobody said so', () => atOutcome(unconfirmed, deleted, deleted, deleted)],
    ['nobody said that its outcome is not written', () => atOutcome(lost, deleted, deleted, deleted)],
    ['the service is gone, too', () => unreadable()],
    ['the service is gone, too, and its outcome cannot be written', () => unreadable(deleted, deleted)],
  ])('is made once and blocks nobody where %s', async (_, begin) => {
    begin();
    const answer = await change();
    expect([answer.status, await answer.clone().json()]).toEqual([
      200,
      expect.objectContaining({ note: 'Called.' }),
    ]);
    expect(next).toEqual([]);
    const again = await change();
    expect([again.headers.get(changeHeaders.replayed), await again.text()]).toEqual([
      'true',
      await answer.text(),
    ]);
    expect(setup.upstream.calls.filter(isWrite)).toHaveLength(1);
    setup.upstream.operation = sendOn;
    const other = setup.as('manager', 'Bob').api;
    await other.updateSubscriber({ params: { id: 1 }, body: { note: 'Again.' } });
    expect((await entries()).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect(await verifyJournal(setup.db, createMac(journalKey))).toMatchObject({ entries: 2 });
  });
});

describe('a change that is not made yet when the service breaks off', () => {
  const passes: Fault = (run) => run();
  const thenMade =
    (made: () => Promise<unknown>, fault: Fault): Fault =>
    async (run) => {
      await made();
      return fault(run);
    };

  it.each<[string, (made: () => Promise<unknown>) => Fault[]]>([
    ['no commit is confirmed before it is made', (made) => [deleted, deleted, thenMade(made, passes)]],
    ['its outcome cannot be written until it is made', (made) => [passes, thenMade(made, deleted)]],
    ['nobody said whether its outcome is written', (made) => [passes, thenMade(made, lost), deleted]],
  ])('is never called failed where %s', async (_, faults) => {
    setup.upstream.operation = async (request, go) => {
      if (!isWrite(request)) return go();
      next = faults(go);
      return breakOff();
    };
    expect((await change()).status).toBe(200);
    expect(next).toEqual([]);
    expect(await setup.saved()).toMatchObject({ note: 'Called.' });
    expect(await entries()).toMatchObject([{ outcome: 'done' }]);
  });
});

test('a change is left to others well before it counts as abandoned where the database stays away', async () => {
  atOutcome(...Array.from({ length: 1000 }, () => deleted));
  const began = setup.time.now;
  expect(await outcomeOf(change())).toBe('503 outcome-unknown');
  expect(setup.time.now - began).toBeLessThan(abandonedAfter - 1000);
  expect(setup.logs).toContainEqual(expect.objectContaining({ event: 'change-not-closed' }));
  expect(await entries()).toMatchObject([{ outcome: null }]);
  setup.time.now = began + abandonedAfter + 1000;
  await setup.as('manager', 'Bob').runMaintenance();
  expect(await entries()).toMatchObject([{ outcome: 'done' }]);
});
