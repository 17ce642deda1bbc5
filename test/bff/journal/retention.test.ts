import { beforeEach, describe, expect, it, test } from 'vitest';
import { createAppend, createMac, writeHead } from '../../../src/bff/journal/chain.ts';
import { deleteExpiredKeys } from '../../../src/bff/journal/idempotency.ts';
import { deleteOlder } from '../../../src/bff/journal/maintenance.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { beginEntry, closeEntry, findChange, selectChanges } from '../../../src/bff/journal/entries.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';

const mac = createMac(journalKey);
const hour = 3_600_000;
const day = 24 * hour;
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;

let bff: TestDesk;
let db: TestDesk['db'];
let time: TestDesk['time'];
const openDesk = async (options = {}) => {
  bff = await createTestDesk({ staff: {}, ...options });
  ({ db, time } = bff);
};
beforeEach(() => openDesk());

const idsLeft = async () =>
  (await db.selectFrom('journal').select('id').orderBy('seq').execute()).map(({ id }) => id);
const headNow = async () => {
  const result = await verifyJournal(db, mac);
  if ('fault' in result) throw new Error(result.fault);
  return result.head;
};
const close = async (id: string, now: number) => {
  const entry = await findChange(db, id);
  if (!entry) throw new Error(`There is no entry ${id}.`);
  const closing = { outcome: 'failed' as const, code: null, subscriberId: null, after: null, version: null };
  return closeEntry(createAppend(db, mac), entry, { closing, now });
};

describe('deleteOlder', () => {
  it('deletes old entries and leaves a valid chain', async () => {
    await addEntries(db, mac, [done, done, done], time.now - 9 * day, 'old');
    await addEntries(db, mac, [done, done], time.now - day, 'young');
    const head = await headNow();
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(3);
    expect(await idsLeft()).toEqual(['young-0', 'young-1']);
    expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: 2, head });
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(0);
    await addEntries(db, mac, [done], time.now, 'new');
    expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: 3 });
  });

  it('is not held up by an entry of a clock that was years ahead, and keeps one that may be of today', async () => {
    const old = time.now - 9 * day;
    const ahead = time.now + 4000 * day;
    await addEntries(db, mac, [done], old, 'old');
    await addEntries(db, mac, [done], ahead, 'ahead');
    await addEntries(db, mac, [done], old + day, 'older');
    await addEntries(db, mac, [done], ahead, 'today');
    await addEntries(db, mac, [done], time.now, 'now');
    expect(await deleteOlder(db, mac, time.now - 5 * day, { now: time.now })).toBe(3);
    expect(await idsLeft()).toEqual(['today-0', 'now-0']);
    expect(await verifyJournal(db, mac)).toMatchObject({ entries: 2 });
  });

  it('keeps an entry that is open, and all after it', async () => {
    const old = time.now - 9 * day;
    await addEntries(db, mac, [done, { ...done, outcome: null }, done], old, 'old');
    const before = await headNow();
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(1);
    expect(await idsLeft()).toEqual(['old-1', 'old-2']);
    expect(await verifyJournal(db, mac, before)).toMatchObject({ entries: 2, head: before });
  });

  it('keeps an old entry until the link of its outcome is deleted, and proves what was deleted before', async () => {
    const open = { ...done, outcome: null };
    await addEntries(db, mac, [done, open], time.now - 9 * day, 'old');
    await addEntries(db, mac, [done], time.now - day, 'young');
    await close('old-1', time.now);
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(1);
    expect(await idsLeft()).toEqual(['old-1', 'young-0']);
    const head = await headNow();
    const edit = (staff_name: string) =>
      db.updateTable('journal').set({ staff_name }).where('id', '=', 'old-1').execute();
    await edit('Nobody');
    expect(await verifyJournal(db, mac)).toHaveProperty('fault');
    await edit('Name 1');
    expect(await deleteOlder(db, mac, time.now)).toBe(2);
    expect(await idsLeft()).toEqual([]);
    expect(await verifyJournal(db, mac)).toMatchObject({ entries: 0, head });
  });

  it('proves nothing that somebody edited', async () => {
    await addEntries(db, mac, [done, { ...done, outcome: null }], time.now - 9 * day, 'old');
    await addEntries(db, mac, [done], time.now - day, 'young');
    await close('old-1', time.now);
    await db.updateTable('journal').set({ reason: 'edited' }).where('id', '=', 'old-1').execute();
    await deleteOlder(db, mac, time.now - 5 * day);
    expect(await verifyJournal(db, mac)).toEqual({
      fault: expect.stringContaining('the outcome of entry old-1'),
    });
  });

  it('deletes in portions, after each of which the chain is valid, also if the server ends there', async () => {
    const open = { ...done, outcome: null };
    const many = Array.from({ length: 520 }, () => done);
    await addEntries(db, mac, [open, ...many], time.now - 9 * day, 'old');
    await close('old-0', time.now);
    await addEntries(db, mac, [done], time.now - day, 'young');
    const head = await headNow();
    const end = () => Promise.reject(new Error('ended'));
    await expect(deleteOlder(db, mac, time.now - 5 * day, { wait: end })).rejects.toThrow('ended');
    // The first 500 links: those of old-0 and old-250 end later.
    const remaining = [...many.keys()].slice(249).map((index) => `old-${index + 1}`);
    expect(await idsLeft()).toEqual(['old-0', ...remaining, 'young-0']);
    expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: remaining.length + 2, head });
    const entries: unknown[] = [];
    const wait = async () => void entries.push(await verifyJournal(db, mac, head));
    expect(await deleteOlder(db, mac, time.now - 5 * day, { wait })).toBe(remaining.length + 1);
    expect(entries).toEqual([expect.objectContaining({ entries: remaining.length + 2 - 250 })]);
    expect(await idsLeft()).toEqual(['young-0']);
    expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: 1, head });
  });

  it('leaves a chain with a gap as it is', async () => {
    const old = time.now - 9 * day;
    await addEntries(db, mac, [done, { ...done, outcome: null }, done, done], old);
    await db.deleteFrom('journal').where('id', '=', 'entry-0').execute();
    await db.updateTable('journal').set({ at: time.now }).where('id', '=', 'entry-1').execute();
    expect(await deleteOlder(db, mac, time.now)).toBe(0);
    expect(await idsLeft()).toHaveLength(3);
    expect(await verifyJournal(db, mac)).toEqual({ fault: 'Link 1 is missing.' });
  });

  it('is the only way to shorten the chain: a chain that was cut by hand is not valid', async () => {
    await addEntries(db, mac, [done, done, done], time.now - 9 * day);
    const last = (await findChange(db, 'entry-0'))?.closed_mac ?? '';
    await db.deleteFrom('journal').where('seq', '<=', 2).execute();
    const anchor = { anchor_seq: 2, anchor_mac: last };
    await db.updateTable('journal_head').set(anchor).execute();
    expect(await verifyJournal(db, mac)).toEqual({ fault: expect.stringContaining('up to link 2') });
    await db
      .updateTable('journal_head')
      .set({ ...anchor, anchor_proof: last })
      .execute();
    expect(await verifyJournal(db, mac)).toHaveProperty('fault');
  });

  it('deletes what an older head is compared with, and verifyJournal says so', async () => {
    await addEntries(db, mac, [done], time.now - 9 * day, 'old');
    const old = await headNow();
    await addEntries(db, mac, [done, done], time.now - 8 * day, 'later');
    const later = await headNow();
    await deleteOlder(db, mac, time.now);
    expect(await verifyJournal(db, mac, later)).toMatchObject({ entries: 0, head: later });
    expect(await verifyJournal(db, mac, old)).toEqual({
      fault: `The head ${writeHead(old)} is older than the oldest entry that is kept, so it cannot be checked. Keep a newer one.`,
    });
  });
});

test('maintenance deletes entries older than journalDays, at most once an hour', async () => {
  await openDesk({ journalDays: 9 });
  const { logs, runMaintenance } = bff;
  await addEntries(db, mac, [done, done], time.now - 9 * day, 'old');
  await addEntries(db, mac, [done], time.now - day + hour / 2, 'young');
  await runMaintenance();
  expect(await idsLeft()).toHaveLength(3);
  time.now += hour;
  await runMaintenance();
  expect(await idsLeft()).toEqual(['young-0']);
  expect(logs).toContainEqual({ level: 'info', event: 'journal-pruned', entries: 2 });
  await db.deleteFrom('journal').execute();
  await addEntries(db, mac, [done], time.now - 90 * day, 'ancient');
  await runMaintenance();
  expect(await idsLeft()).toEqual(['ancient-0']);
});

test('maintenance ends a change as unknown that cannot be reconciled before its entry is too old', async () => {
  await openDesk({ journalDays: 5 });
  const { logs, runMaintenance } = bff;
  const open = { ...done, outcome: null };
  await addEntries(db, mac, [open, done], time.now - 9 * day, 'stuck');
  await addEntries(db, mac, [done, open], time.now - day - hour, 'young');
  bff.upstream.lookup = () => new Response(null, { status: 500 });
  await runMaintenance();
  expect((await findChange(db, 'stuck-0'))?.outcome).toBe('unknown');
  expect((await findChange(db, 'young-1'))?.outcome).toBeNull();
  expect(logs).toContainEqual({ level: 'warn', event: 'journal-entry-stays-open', entry: 'stuck-0' });
  // It stays as long as the link of its outcome does, and keeps nothing else.
  expect(await idsLeft()).toEqual(['stuck-0', 'young-0', 'young-1']);
  expect(await verifyJournal(db, mac)).toMatchObject({ entries: 3 });
});

test('maintenance deletes drafts and keys past their life, although nobody writes any', async () => {
  const { runMaintenance } = bff;
  // Shows that the time is right.
  await addEntries(db, mac, [done, { ...done, outcome: null }], time.now - day - 60_000);
  const draft = (form: string, saved_at: number) => ({ owner: 'kari', form, body: '{}', saved_at });
  const setKey = (id: string) =>
    db.updateTable('journal').set({ key_hash: id }).where('id', '=', id).execute();
  const week = 7 * day;
  await db
    .insertInto('drafts')
    .values([draft('new', time.now - week), draft('7', time.now - week + 2 * day)])
    .execute();
  bff.upstream.lookup = () => new Response(null, { status: 500 });
  await addEntries(db, mac, [done], time.now - hour, 'young');
  for (const id of ['entry-0', 'entry-1', 'young-0']) await setKey(id);
  await runMaintenance();
  const forms = await db.selectFrom('drafts').select('form').execute();
  expect(forms).toEqual([{ form: '7' }]);
  const entries = await db.selectFrom('journal').selectAll().orderBy('seq').execute();
  expect(entries.map((row) => row.key_hash)).toEqual([null, 'entry-1', 'young-0']);
  // A clock that is ahead for a minute deletes nothing.
  time.now += 500 * day;
  await runMaintenance();
  expect(await db.selectFrom('drafts').select('form').execute()).toEqual(forms);
});

test('deleteExpiredKeys deletes up to 500 keys in a statement, and passes those that are still used', async () => {
  await addEntries(db, mac, [done], time.now - 2 * day);
  const { id: _i, seq: _s, closed_seq: _c, ...alike } = await selectChanges(db).executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1202 }, (_, index) => {
    const at = index < 600 ? time.now : alike.at;
    return {
      ...alike,
      id: `copy-${index}`,
      seq: -index,
      closed_seq: -index,
      at,
      key_hash: `key-${1000 + index}`,
    };
  });
  for (let from = 0; from < copies.length; from += 100)
    await db
      .insertInto('journal')
      .values(copies.slice(from, from + 100))
      .execute();
  const remaining: number[] = [];
  const keys = db.selectFrom('journal').select('key_hash').where('key_hash', 'is not', null);
  const wait = async () => void remaining.push((await keys.execute()).length);
  await deleteExpiredKeys({ db, wait }, time.now);
  expect(remaining).toEqual([1202, 802, 600]);
});

test('maintenance logs a database failure and does not throw', async () => {
  const { logs, runMaintenance } = bff;
  await db.schema.dropTable('journal').execute();
  await runMaintenance();
  expect(logs).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'journal-maintenance-failed' }),
  );
});

test('an entry is closed only by the first process that closes it', async () => {
  await addEntries(db, mac, [done], time.now, 'one');
  const closed = await close('one-0', time.now + 1);
  expect(closed).toMatchObject({ outcome: 'done', closed_at: time.now + 1000 });
  expect(await headNow()).toMatchObject({ seq: 2 });
});

test('an entry begins only if no other change of the same subscriber came in between', async () => {
  await addEntries(db, mac, [done], time.now, 'one');
  const row = await selectChanges(db).executeTakeFirstOrThrow();
  const begin = (id: string, seen: number | null) => beginEntry(createAppend(db, mac), { ...row, id }, seen);
  expect(await begin('two', null)).toBeNull();
  expect(await begin('three', row.closed_seq)).toMatchObject({ id: 'three', outcome: null });
  expect(await begin('four', row.closed_seq)).toBeNull();
});
