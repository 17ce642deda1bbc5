import { beforeEach, describe, expect, test } from 'vitest';
import { createMac, writeHead } from '../../../src/bff/journal/chain.ts';
import { deleteOlder } from '../../../src/bff/journal/journal.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { beginEntry, closeEntry, selectChanges } from '../../../src/bff/journal/entries.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';

const mac = createMac(journalKey);
const hour = 3_600_000;
const day = 24 * hour;
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;

let bff: TestDesk;
beforeEach(async () => {
  bff = await createTestDesk({ staff: {} });
});

const idsLeft = async () =>
  (await bff.db.selectFrom('journal').select('id').orderBy('seq').execute()).map(({ id }) => id);
const headNow = async () => {
  const result = await verifyJournal(bff.db, mac);
  if ('fault' in result) throw new Error(result.fault);
  return result.head;
};
const close = (id: string, now: number) => {
  const closing = { outcome: 'failed' as const, code: null, subscriberId: null, after: null, version: null };
  return closeEntry(bff.db, mac, id, { closing, now, sealed: null });
};

describe('deleteOlder', () => {
  test('deletes old entries and leaves a valid chain', async () => {
    const { db, time } = bff;
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

  test('keeps an entry that is open or was closed after the cutoff, and all entries after it', async () => {
    const { db, time } = bff;
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

  test('keeps an old entry that was closed after a newer one began', async () => {
    const { db, time } = bff;
    const old = time.now - 9 * day;
    await addEntries(db, mac, [{ ...done, outcome: null }], old, 'crossing');
    await addEntries(db, mac, [{ ...done, outcome: null }], time.now, 'young');
    await close('crossing-0', old + 1);
    await close('young-0', time.now);
    expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(0);
    await headNow();
  });

  test('is the only way to shorten the chain: a chain that was cut by hand is not valid', async () => {
    const { db, time } = bff;
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
    expect(await verifyJournal(db, mac)).toEqual({ fault: expect.stringContaining('up to link 2') });
    await db
      .updateTable('journal_head')
      .set({ ...anchor, anchor_proof: link.mac })
      .execute();
    expect(await verifyJournal(db, mac)).toHaveProperty('fault');
  });

  test('deletes what an older head is compared with, and verifyJournal says so', async () => {
    const { db, time } = bff;
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
  bff = await createTestDesk({ staff: {}, journalDays: 9 });
  const { db, time, logs, runMaintenance } = bff;
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

test('maintenance logs a database failure and does not throw', async () => {
  const { db, logs, runMaintenance } = bff;
  await db.schema.dropTable('journal').execute();
  await runMaintenance();
  expect(logs).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'journal-maintenance-failed' }),
  );
});

test('an entry is closed only by the first process that closes it', async () => {
  const { db, time } = bff;
  await addEntries(db, mac, [done], time.now, 'one');
  const closed = await close('one-0', time.now + 1);
  expect(closed).toMatchObject({ outcome: 'done', closed_at: time.now + 1000 });
  expect(await headNow()).toMatchObject({ seq: 2 });
});

test('an entry begins only if no other change of the same subscriber came in between', async () => {
  const { db, time } = bff;
  await addEntries(db, mac, [done], time.now, 'one');
  const row = await selectChanges(db).executeTakeFirstOrThrow();
  const {
    seq: _s,
    kind: _k,
    closed_seq,
    closed_at: _c,
    outcome: _o,
    code: _d,
    after: _a,
    version: _v,
    ...draft
  } = row;
  const begin = (id: string, seen: number | null) =>
    beginEntry(db, mac, { ...draft, id }, { seen, claim: null });
  expect(await begin('two', null)).toBeNull();
  expect(await begin('three', closed_seq)).toMatchObject({ id: 'three', outcome: null });
  expect(await begin('four', closed_seq)).toBeNull();
});
