import { beforeEach, describe, expect, it, test } from 'vitest';
import type { KyselyPlugin } from 'kysely';
import { readActivity, type EntryPlace } from '../../../src/bff/journal/activity.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import type { ActivityPage } from '../../../src/contract/bff/journal.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { crowd } from '../../support/people.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { addEntries, addEvents, changesIn } from '../../support/bff/entries.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const kinds = [
  { operation: 'updateSubscriber', outcome: 'done' },
  { operation: 'deleteSubscriber', outcome: 'failed' },
  { operation: 'updateSubscriber', outcome: null },
] as const;

let bff: TestDesk;
beforeEach(async () => {
  bff = await createTestDesk({ people: crowd(3) });
  await bff.changeAccount('support', { id: 'staff-1' });
  const list = Array.from({ length: 9 }, (_, index) => kinds[index % kinds.length]);
  await addEntries(bff.db, createMac(journalKey), list, start);
});

const ask = async (name: string, query = '') => (await bff.signIn(name)).ask('GET', `/bff/activity${query}`);
const list = async (name: string, query = ''): Promise<ActivityPage> => (await ask(name, query)).json();
/** The changes that a user sees: each has signed in besides. */
const ids = async (name: string, query = '') =>
  changesIn((await list(name, query)).items).map(({ id }) => id);
const entry = (...indexes: number[]) => indexes.map((index) => `entry-${index}`);

describe('GET /bff/activity', () => {
  it('lists the newest entries first, in pages', async () => {
    expect(await ids('manager')).toEqual(entry(8, 7, 6, 5, 4, 3, 2, 1, 0));
    const page = await list('manager', '?kind=change&page=2&pageSize=4');
    expect(page).toMatchObject({ page: 2, pageSize: 4, totalCount: 9, totalPages: 3 });
    expect(page.items.map(({ id }) => id)).toEqual(entry(4, 3, 2, 1));
    expect(await list('manager', '?kind=change&page=9007199254740991')).toMatchObject({
      items: [],
      totalCount: 9,
    });
  });

  it.each([
    ['subscriberId=3', entry(2)],
    ['staff=staff-2', entry(8, 5, 2)],
    ['operation=deleteSubscriber', entry(7, 4, 1)],
    ['from=2026-01-01T00:07:00Z', entry(8, 7)],
    ['to=2026-01-01T02:01:00%2B02:00', entry(0)],
    ['from=2026-01-01T00:02:00Z&to=2026-01-01T00:05:00Z&operation=updateSubscriber', entry(3, 2)],
  ])('filters by %s', async (query, expected) => {
    expect(await ids('manager', `?${query}`)).toEqual(expected);
  });

  it('answers the outcome of each entry, or unknown while the change is running', async () => {
    const { items } = await list('manager', '?kind=change&pageSize=3');
    const outcomes = changesIn(items).map(({ outcome, code }) => [outcome, code]);
    expect(outcomes).toEqual([
      ['unknown', null],
      ['failed', 'bad-upstream'],
      ['done', null],
    ]);
  });

  it.each([
    'page=0',
    'pageSize=201',
    'kind=other',
    'operation=listStatuses',
    'from=yesterday',
    'from=2026-01-01',
    'staff=a.b',
    'subscriberId=x',
    'page=1&page=2',
    'to=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  ])('refuses %s and names the parameter', async (query) => {
    const answer = await ask('manager', `?${query}`);
    const reported: { errors: object } = await answer.json();
    expect([answer.status, Object.keys(reported.errors)]).toEqual([422, [query.split('=')[0]]]);
  });
});

describe('GET /bff/activity without a user in the query', () => {
  it('lists the entries of everyone for managers, and only their own for other users', async () => {
    expect(await ids('manager')).toHaveLength(9);
    expect(await ids('support')).toEqual(entry(7, 4, 1));
    expect(await ids('support', '?staff=staff-1')).toEqual(entry(7, 4, 1));
    expect(await ids('viewer')).toEqual([]);
  });

  it('refuses to list the entries of another user, except to managers', async () => {
    expect(await outcomeOf(ask('support', '?staff=staff-2'))).toBe('403 not-allowed');
  });

  it('lists all entries of one subscriber for every role', async () => {
    for (const name of ['viewer', 'support', 'manager'])
      expect(await ids(name, '?subscriberId=3')).toEqual(entry(2));
    expect(await ids('viewer', '?subscriberId=3&staff=staff-1')).toEqual([]);
  });
});

describe('the list of all kinds of entries', () => {
  const reported = async (name: string, query: string) =>
    (await list(name, `?${query}&to=2026-01-02T00:00:00Z`)).items.map(({ kind, operation, staff }) => [
      kind,
      operation,
      staff.name,
    ]);

  beforeEach(async () => {
    const events = [
      { operation: 'revealToken', subscriber: { id: 3, username: 'user-2' } },
      { operation: 'signIn', details: { way: 'password' } },
      { operation: 'changeStaff', account: { id: 'staff-1', name: 'support' }, details: { disabled: true } },
      { operation: 'exportActivity', details: { entries: 3 } },
    ] as const;
    await addEvents(bff.db, createMac(journalKey), events, start + 3_600_000);
    // Who looks signs in on the next day.
    bff.time.now = start + 86_400_000;
  });

  it.each([
    ['kind=data', ['exportActivity', 'revealToken']],
    ['kind=sign-in', ['signIn']],
    ['kind=staff', ['changeStaff']],
    ['kind=staff&staff=staff-2', ['changeStaff']],
    ['kind=staff&staff=staff-1', []],
    ['kind=data&operation=exportActivity', ['exportActivity']],
    ['kind=change&operation=exportActivity', []],
    ['kind=data&subscriberId=3', ['revealToken']],
    ['kind=change&subscriberId=3', ['updateSubscriber']],
    ['subscriberId=3', ['revealToken', 'updateSubscriber']],
  ])('can be filtered by kind: %s', async (query, expected) => {
    expect((await reported('manager', query)).map(([, operation]) => operation)).toEqual(expected);
  });

  it('has every kind, in the order of time, with who did it', async () => {
    const all = await reported('manager', 'pageSize=5');
    expect(all.map(([kind]) => kind)).toEqual(['data', 'staff', 'sign-in', 'data', 'change']);
    expect(await reported('support', 'pageSize=2')).toEqual([
      ['sign-in', 'signIn', 'Name 1'],
      ['change', 'deleteSubscriber', 'Name 1'],
    ]);
  });

  it('tells what happened and to whom', async () => {
    const [entry] = (await list('manager', '?kind=staff')).items;
    expect(entry).toMatchObject({
      at: '2026-01-01T01:02:00.000Z',
      staff: { id: 'staff-2', name: 'Name 2', singleSignOn: false },
      operation: 'changeStaff',
      account: { id: 'staff-1', name: 'support', singleSignOn: false },
      details: { disabled: true },
    });
  });

  it('lets only changes be undone', async () => {
    const [entry] = (await list('manager', '?kind=staff')).items;
    const answer = await (await bff.signIn('manager')).ask('POST', `/bff/activity/${entry?.id}/undo`);
    expect(await outcomeOf(answer)).toBe('409 cannot-undo');
  });
});

/** Adds entries that are older than all others, in pairs of the same time. @returns their ids, newest first */
async function addOlder(count: number): Promise<string[]> {
  const [first] = (await bff.rows('journal')).filter(({ id }) => id === 'entry-0');
  if (!first) throw new Error('There is no such entry.');
  const older = Array.from({ length: count }, (_, index) => ({
    ...first,
    id: `older-${index}`,
    seq: -index,
    closed_seq: null,
    at: start - 1 - Math.floor(index / 2),
  }));
  await bff.db.insertInto('journal').values(older).execute();
  return older.map(({ id }) => id);
}

/** Takes the first part of a file; then calls, and takes the rest. @returns the lines of the file, without its last one */
async function takeSlowly({ body }: Response, between: () => Promise<unknown>): Promise<string[]> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (text === '') await between();
    text += decoder.decode(part.value, { stream: true });
  }
  return text.trimEnd().split('\n').slice(0, -1);
}

describe('an export of activity', () => {
  const exportAs = async (name: string, query = '') =>
    (await bff.signIn(name)).ask('GET', `/bff/activity/export${query}`);
  const linesOf = async (answer: Promise<Response>) => (await (await answer).text()).trim().split('\n');
  const recorded = async () =>
    (await list('manager', '?kind=data')).items.map(({ operation, staff, ...rest }) => [
      operation,
      staff.name,
      'details' in rest && rest.details,
    ]);

  it('is recorded with who did it and how many entries it has', async () => {
    expect(await linesOf(exportAs('manager', '?kind=change&to=2026-01-01T00:05:00Z'))).toHaveLength(6);
    expect(await linesOf(exportAs('viewer', '?subscriberId=3'))).toHaveLength(2);
    expect(await linesOf(exportAs('support', '?kind=change&staff=staff-1'))).toHaveLength(4);
    expect(await recorded()).toEqual([
      ['exportActivity', 'support', { entries: 3 }],
      ['exportActivity', 'viewer', { entries: 1 }],
      ['exportActivity', 'manager', { entries: 5 }],
    ]);
  });

  it('has each entry that was there when it began once, newest first, and their number as its last line', async () => {
    const all = await ids('manager', '?pageSize=200');
    const lines = await linesOf(exportAs('manager'));
    expect(lines.at(-1)).toBe(`#rows ${lines.length - 1}`);
    const exported = lines.slice(0, -1).map((line) => JSON.parse(line));
    expect(exported.map(({ operation }) => operation)).not.toContain('exportActivity');
    expect(changesIn(exported).map(({ id }) => id)).toEqual(all);
  });

  it('has each entry once, also where another entry matches its filter only from then on', async () => {
    const older = await addOlder(597);
    const file = await exportAs('manager', '?kind=change&outcome=done');
    const lines = await takeSlowly(file, () =>
      bff.db.updateTable('journal').set({ outcome: 'done' }).where('id', '=', 'entry-8').execute(),
    );
    const listed = lines.map((line) => JSON.parse(line).id);
    expect(listed).toEqual([...entry(6, 3, 0), ...older]);
  });

  it('has all other entries where one is deleted between two reads of a part', async () => {
    const older = await addOlder(250);
    let isFirst = true;
    const meanwhile: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isFirst) await bff.db.deleteFrom('journal').where('id', '=', 'older-100').execute();
        isFirst = false;
        return result;
      },
    };
    const user = { staffId: 'staff-2', name: 'manager', role: 'manager' as const };
    const manager = { ...user, mustChangePassword: false, singleSignOn: false, isProven: true };
    const read = readActivity(bff.db.withPlugin(meanwhile), { kind: 'change' }, manager, {
      upTo: 1000,
      wait: async () => {},
    });
    const exported: string[] = [];
    for (let [place, isLast]: [EntryPlace | null, boolean] = [null, false]; !isLast;) {
      const { items, last } = await read.after(place);
      exported.push(...changesIn(items).map(({ id }) => id));
      [place, isLast] = [last, last === null];
    }
    expect(exported.filter((id) => id.startsWith('older'))).toEqual(older.filter((id) => id !== 'older-100'));
  });

  test.each([
    ['of the entries of somebody else', 'support', '?staff=staff-2', 403],
    ['with a filter that is none', 'manager', '?kind=x', 422],
    ['of a time that is none', 'manager', '?from=x', 422],
  ])('an export %s is refused, and nothing is recorded', async (_, name, query, status) => {
    expect((await exportAs(name, query)).status).toBe(status);
    expect(await recorded()).toEqual([]);
  });
});
