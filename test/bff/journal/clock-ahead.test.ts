import { beforeEach, describe, expect, it } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';

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

  it('deletes nothing while the clock is 500 days ahead, although what staff do then is an entry of then', async () => {
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

  it('goes on after the clock was ahead for long and came back', async () => {
    desk.time.now += jump;
    await desk.runMaintenance();
    desk.time.now -= jump;
    desk.time.now += 12 * day;
    await addEntries(desk.db, mac, [done], desk.time.now - day, 'yesterday');
    // Such as after a restart.
    await desk.as('manager', 'Ann').runMaintenance();
    expect(await idsLeft()).toEqual(['recent-0', 'today-0', 'yesterday-0']);
  });
});
