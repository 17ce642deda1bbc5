import { beforeEach, describe, expect, it, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import type { ActivityQuery, EntryFilter } from '../../../src/contract/bff/journal.ts';
import { addEvents, someone } from '../../support/bff/entries.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { prepare, runToEnd } from '../../support/bff/jobs.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { anna, person } from '../../support/people.ts';

let desk: TestDesk;
type Browser = Awaited<ReturnType<TestDesk['signIn']>>;
let manager: Browser;

const email = 'someone@example.com';

beforeEach(async () => {
  desk = await createTestDesk({
    people: [anna, person('Ørjan', { email }), person('100%_a', { email }), person('berta')],
  });
  manager = await desk.signIn('manager');
  for (const id of [1, 2, 3, 4])
    await manager.api.updateSubscriber({ params: { id }, body: { note: `Note ${id}.` } });
});

const found = async (query: ActivityQuery, browser = manager) =>
  (await browser.bff.listActivity({ query })).data.items.map(
    ({ operation, username }) => `${operation} ${username}`,
  );

describe('the activity that is found by a name', () => {
  test.each([
    ['nn', ['anna']],
    ['ANNA', ['anna']],
    ['ørj', ['Ørjan']],
    ['ØRJ', ['Ørjan']],
    ['0%_', ['100%_a']],
    ['a%a', []],
    ['_nna', []],
    ['a', ['berta', '100%_a', 'Ørjan', 'anna']],
  ])('the text %s finds the names that contain it', async (username, names) => {
    expect(await found({ username })).toEqual(names.map((name) => `updateSubscriber ${name}`));
  });

  it('has what was done to subscribers that were deleted, also by a job', async () => {
    await manager.api.deleteSubscriber({ params: { id: 1 } });
    const { id } = await prepare(manager, { kind: 'delete', targets: { ids: [2] } });
    await runToEnd(manager, id);
    expect(await found({ username: 'anna' })).toEqual(['deleteSubscriber anna', 'updateSubscriber anna']);
    expect(await found({ username: 'ørjan' })).toEqual(['deleteSubscriber Ørjan', 'updateSubscriber Ørjan']);
  });

  it('has what was done under the name that a subscriber had then', async () => {
    await manager.api.updateSubscriber({ params: { id: 1 }, body: { username: 'hanne' } });
    await manager.api.updateSubscriber({ params: { id: 1 }, body: { note: 'Later.' } });
    expect(await found({ username: 'anna' })).toEqual(['updateSubscriber anna', 'updateSubscriber anna']);
    expect(await found({ username: 'hanne' })).toEqual(['updateSubscriber hanne']);
    expect(await found({ subscriberId: 1 })).toHaveLength(3);
  });

  it('keeps to the other filters and to the page', async () => {
    expect(await found({ username: 'a', kind: 'data' })).toEqual([]);
    expect(await found({ username: 'a', operation: 'updateSubscriber', pageSize: 1, page: 2 })).toEqual([
      'updateSubscriber 100%_a',
    ]);
    expect(await found({ username: 'anna', subscriberId: 2 })).toEqual([]);
  });

  it('has for others than managers only what they did themselves', async () => {
    const support = await desk.signIn('support');
    await support.api.updateSubscriber({ params: { id: 4 }, body: { note: 'Mine.' } });
    expect(await found({ username: 'a' }, support)).toEqual(['updateSubscriber berta']);
  });

  it('is not found by an access token, which gets into no log', async () => {
    const { accessToken } = await desk.saved();
    const answer = await manager.ask('GET', `/bff/activity?username=${accessToken}`);
    expect(await outcomeOf(answer)).toBe('422 invalid-input');
    expect(JSON.stringify(desk.logs)).not.toContain(accessToken);
  });

  it('is gone once the subscriber’s data is erased', async () => {
    await forgetSubscriber(desk.db, createMac(journalKey), 1);
    expect(await found({ username: 'anna' })).toEqual([]);
  });
});

describe('the activity that is found by an account or an outcome', () => {
  const ola = { id: 'ola', name: 'Ola' };

  it('has what was done to the account, not what the account did', async () => {
    await addEvents(
      desk.db,
      createMac(journalKey),
      [
        { operation: 'changeStaff', account: ola, details: { disabled: true } },
        { operation: 'resetStaffPassword', account: { id: 'eva', name: 'Eva' } },
        { operation: 'endStaffSessions', account: ola, details: { sessions: 1 } },
        { operation: 'signIn', staff: ola },
      ],
      desk.time.now,
    );
    expect(await found({ account: 'ola' })).toEqual(['endStaffSessions ', 'changeStaff ']);
    expect(await found({ account: 'ola', operation: 'changeStaff' })).toEqual(['changeStaff ']);
    expect(await found({ account: 'ola', kind: 'sign-in' })).toEqual([]);
  });

  it('has failed sign-ins, and changes that were refused or are still running', async () => {
    const events = [{ operation: 'signIn', outcome: 'refused', details: { times: 2 } }] as const;
    await addEvents(desk.db, createMac(journalKey), events, desk.time.now);
    await manager.api.updateSubscriber({ params: { id: 1 }, body: { username: 'berta' } }).catch(() => {});
    expect(await found({ outcome: 'refused' })).toEqual(['updateSubscriber anna', 'signIn ']);
    expect(await found({ outcome: 'refused', kind: 'sign-in' })).toEqual(['signIn ']);
    expect(await found({ outcome: 'done', kind: 'sign-in' })).toEqual(['signIn ']);
    const open = { outcome: null, closed_seq: null, closed_at: null };
    await desk.db.updateTable('journal').set(open).where('subscriber_id', '=', 2).execute();
    expect(await found({ outcome: 'unknown' })).toEqual(['updateSubscriber Ørjan']);
  });
});

describe('GET /bff/activity/totals', () => {
  const totals = async (query: EntryFilter = {}) => {
    const { people } = (await manager.bff.totalActivity({ query })).data;
    return people.map(({ staff, counts }) => [
      staff.name,
      Object.fromEntries(
        counts.map(({ operation, done, byJobs, notDone }) => [operation, [done, byJobs, notDone]]),
      ),
    ]);
  };

  beforeEach(async () => {
    const support = await desk.signIn('support');
    await support.api.updateSubscriber({ params: { id: 1 }, body: { username: 'berta' } }).catch(() => {});
    await support.api.updateSubscriber({ params: { id: 1 }, body: { note: 'Support was here.' } });
    const { id } = await prepare(manager, { kind: 'delete', targets: { ids: [2, 3] } });
    await runToEnd(manager, id);
    await manager.api.deleteSubscriber({ params: { id: 4 } });
  });

  it('counts what each person did, who did most first, with each change of a job', async () => {
    expect(await totals({ kind: 'change' })).toEqual([
      ['manager', { updateSubscriber: [4, 0, 0], deleteSubscriber: [3, 2, 0] }],
      ['support', { updateSubscriber: [1, 0, 1] }],
    ]);
    expect(await totals({ kind: 'job' })).toEqual([['manager', { startJob: [1, 0, 0] }]]);
    expect(await totals()).toMatchObject([
      ['manager', { startJob: [1, 0, 0], signIn: [1, 0, 0], deleteSubscriber: [3, 2, 0] }],
      ['support', { signIn: [1, 0, 0] }],
    ]);
  });

  it.each<[EntryFilter, unknown]>([
    [
      { username: 'ANNA', kind: 'change' },
      [
        ['manager', [1, 0, 0]],
        ['support', [1, 0, 1]],
      ],
    ],
    [{ outcome: 'refused' }, [['support', [0, 0, 1]]]],
    [
      { subscriberId: 1, outcome: 'done' },
      [
        ['manager', [1, 0, 0]],
        ['support', [1, 0, 0]],
      ],
    ],
  ])('keeps to a filter: %j', async (query, expected) => {
    const edits = (await totals(query)).map(([name, counts]) => [
      name,
      Object(counts)['updateSubscriber'] as unknown,
    ]);
    expect(edits).toEqual(expected);
  });

  it.each<EntryFilter>([
    { kind: 'change' },
    { kind: 'change', outcome: 'done' },
    { operation: 'deleteSubscriber' },
    { outcome: 'failed' },
  ])('counts as many changes as the list has, which includes those of jobs: %j', async (query) => {
    const failed = desk.db.updateTable('journal').set('outcome', 'failed').where('job_id', 'is not', null);
    await failed.where('subscriber_id', '=', 3).execute();
    const { people } = (await manager.bff.totalActivity({ query })).data;
    const counts = people.flatMap((one) => one.counts.flatMap(({ done, notDone }) => [done, notDone]));
    const { totalCount, items } = (await manager.bff.listActivity({ query })).data;
    expect(totalCount).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(items.some((entry) => entry.kind === 'change' && entry.jobId !== null)).toBe(true);
  });

  it('keeps to a period and to a person', async () => {
    const from = new Date(desk.time.now + 1).toISOString();
    expect(await totals({ from })).toEqual([]);
    desk.time.now += 60_000;
    await manager.api.regenerateToken({ params: { id: 1 } });
    expect(await totals({ from })).toEqual([['manager', { regenerateToken: [1, 0, 0] }]]);
    expect(await totals({ from, to: from })).toEqual([]);
    expect(await totals({ from, staff: someone.staff.id })).toEqual([]);
  });
});
