import { beforeEach, describe, expect, test } from 'vitest';
import { createBff } from '../../../src/bff/bff.ts';
import { createMac, writeHead } from '../../../src/bff/journal/chain.ts';
import { deleteOlder } from '../../../src/bff/journal/maintenance.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { beginEntry, closeEntry } from '../../../src/bff/journal/entries.ts';
import { journalKey, openDesk, type Desk } from '../../support/bff/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';

const mac = createMac(journalKey);
const day = 86_400_000;
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});

const idsLeft = async () =>
  (await desk.db.selectFrom('journal').select('id').orderBy('seq').execute()).map(({ id }) => id);
const headNow = async () => {
  const verdict = await verifyJournal(desk.db, mac);
  if ('fault' in verdict) throw new Error(verdict.fault);
  return verdict.head;
};
const close = (id: string, now: number) => {
  const closing = { outcome: 'failed' as const, code: null, subscriberId: null, after: null, version: null };
  return closeEntry(desk.db, mac, id, { closing, now, sealed: null });
};

describe('what is older than the journal is kept', () => {
  test('goes, and what is left still holds together', async () => {
    const { db, time } = desk;
    await addEntries(db, mac, [done, done, done], time.now - 9 * day, 'old');
    await addEntries(db, mac, [done, done], time.now - day, 'young');
    const head = await headNow();
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(3);
    expect(await idsLeft()).toEqual(['young-0', 'young-1']);
    expect(await verifyJournal(db, mac, head)).toEqual({ entries: 2, head });
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(0);
    await addEntries(db, mac, [done], time.now, 'new');
    expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: 3 });
  });

  test('but an entry that is open, or was closed later, stays with all that came after it', async () => {
    const { db, time } = desk;
    const old = time.now - 9 * day;
    await addEntries(db, mac, [done], old, 'first');
    await addEntries(db, mac, [{ ...done, outcome: null }], old + 1, 'slow');
    await addEntries(db, mac, [done], old + 2, 'between');
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(1);
    await close('slow-0', time.now - day);
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(0);
    expect(await idsLeft()).toEqual(['slow-0', 'between-0']);
    expect(await deleteOlder(db, mac, time.now)).toBe(2);
    expect(await headNow()).toMatchObject({ seq: 6 });
  });

  test('and one that crosses into what stays, stays', async () => {
    const { db, time } = desk;
    const old = time.now - 9 * day;
    await addEntries(db, mac, [{ ...done, outcome: null }], old, 'crossing');
    await addEntries(db, mac, [{ ...done, outcome: null }], time.now, 'young');
    await close('crossing-0', old + 1);
    await close('young-0', time.now);
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(0);
    await headNow();
  });

  test('cut off by hand, it is no longer what the desk wrote', async () => {
    const { db, time } = desk;
    await addEntries(db, mac, [done, done, done], time.now - 9 * day);
    const link = await db
      .selectFrom('journal_links')
      .selectAll()
      .where('seq', '=', 2)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('journal_links').where('seq', '<=', 2).execute();
    await db.deleteFrom('journal').where('seq', '<=', 2).execute();
    const anchor = { anchor_seq: 2, anchor_mac: link.mac };
    await db.updateTable('journal_head').set(anchor).execute();
    expect(await verifyJournal(db, mac)).toEqual({ fault: expect.stringContaining('after link 2') });
    await db
      .updateTable('journal_head')
      .set({ ...anchor, anchor_proof: link.mac })
      .execute();
    expect(await verifyJournal(db, mac)).toHaveProperty('fault');
  });

  test('is no proof of an older head any more, which is said', async () => {
    const { db, time } = desk;
    await addEntries(db, mac, [done], time.now - 9 * day, 'old');
    const old = await headNow();
    await addEntries(db, mac, [done, done], time.now - 8 * day, 'later');
    const later = await headNow();
    await deleteOlder(db, mac, time.now);
    expect(await verifyJournal(db, mac, later)).toEqual({ entries: 0, head: later });
    expect(await verifyJournal(db, mac, old)).toEqual({
      fault: `The head ${writeHead(old)} is older than what is kept, so it shows nothing any more. Export a newer one.`,
    });
  });
});

test('a desk that is looked after deletes by its number of days, once an hour at most', async () => {
  const { db, time, deps, logs } = desk;
  await addEntries(db, mac, [done, done], time.now - 9 * day);
  const bff = createBff({ ...deps, journalDays: 9 });
  await bff.runMaintenance();
  expect(await idsLeft()).toHaveLength(2);
  time.now += day;
  await bff.runMaintenance();
  expect(await idsLeft()).toEqual([]);
  expect(logs).toContainEqual({ level: 'info', event: 'journal-pruned', entries: 2 });
  await addEntries(db, mac, [done], time.now - 90 * day, 'ancient');
  await bff.runMaintenance();
  expect(await idsLeft()).toEqual(['ancient-0']);
});

test('a desk whose database is gone says so, and goes on', async () => {
  const { db, logs, runMaintenance } = desk;
  await db.schema.dropTable('journal').execute();
  await runMaintenance();
  expect(logs).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'journal-maintenance-failed' }),
  );
});

test('an entry is closed once, whoever comes first', async () => {
  const { db, time } = desk;
  await addEntries(db, mac, [done], time.now, 'one');
  const late = await close('one-0', time.now + 1);
  expect(late).toMatchObject({ outcome: 'done', closed_at: time.now + 1000 });
  expect(await headNow()).toMatchObject({ seq: 2 });
});

test('an entry is begun only where nothing of the same subscriber came between', async () => {
  const { db, time } = desk;
  await addEntries(db, mac, [done], time.now, 'one');
  const row = await db.selectFrom('journal').selectAll().executeTakeFirstOrThrow();
  const { seq: _s, closed_seq, closed_at: _c, outcome: _o, code: _d, after: _a, version: _v, ...draft } = row;
  const begin = (id: string, seen: number | null) =>
    beginEntry(db, mac, { ...draft, id }, { seen, claim: null });
  expect(await begin('two', null)).toBeNull();
  expect(await begin('three', closed_seq)).toMatchObject({ id: 'three', outcome: null });
  expect(await begin('four', closed_seq)).toBeNull();
});
