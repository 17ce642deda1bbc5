import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  createMac,
  createAppend,
  proofOfEntry,
  readHead,
  writeHead,
  type Head,
} from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { closeEntry, findChange } from '../../../src/bff/journal/entries.ts';
import { deleteOlder } from '../../../src/bff/journal/maintenance.ts';
import { useExternalKey } from '../../../src/bff/journal/external-key.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { engine } from '../../support/setup/database.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { addEntries, addEvents, type TestEntry } from '../../support/bff/entries.ts';

const mac = createMac(journalKey);
type Db = TestDesk['db'];
type Table = 'journal' | 'journal_head';

const tables: readonly Table[] = ['journal', 'journal_head'];
const [day, changes] = [86_400_000, 12] as const;

/** Changes with every outcome: done, refused, failed, unknown, and still open. */
const kinds: readonly TestEntry[] = [
  { operation: 'createSubscriber', outcome: 'done' },
  { operation: 'updateSubscriber', outcome: 'done' },
  { operation: 'regenerateToken', outcome: 'failed' },
  { operation: 'createSubscriber', outcome: 'refused' },
  { operation: 'deleteSubscriber', outcome: 'unknown' },
  { operation: 'updateSubscriber', outcome: null },
  { operation: 'createSubscriber', outcome: null },
];

const events = [
  { operation: 'signIn', details: { way: 'password' } },
  { operation: 'revealToken', subscriber: { id: 1, username: 'user-0' } },
  { operation: 'changeStaff', account: { id: 'a', name: 'b' }, details: { disabled: true } },
  { operation: 'signIn', outcome: 'refused', details: { times: 3 } },
] as const;
const entries = changes + events.length + 1;

/**
 * A journal whose beginning was deleted, with an entry that ended after it, open ones and erased ones.
 *
 * @param later the keys of its second half
 */
async function openJournal(later = mac) {
  const { db, time } = await createTestDesk({ staff: {} });
  const list = Array.from({ length: changes }, (_, index) => kinds[index % kinds.length] ?? kinds[0]);
  const old = Array.from({ length: 4 }, () => kinds[1]);
  await addEntries(db, mac, [...old, kinds[5]], time.now - 9 * day, 'old');
  await addEntries(db, mac, list.slice(0, 6), time.now - 3 * day);
  await addEvents(db, mac, events, time.now - 2 * day);
  const crossing = await findChange(db, 'old-4');
  if (!crossing) throw new Error('There is no such entry.');
  const closing = { outcome: 'unknown', code: null, subscriberId: null, after: null, version: null } as const;
  await closeEntry(createAppend(db, mac), crossing, { closing, now: time.now - 2 * day });
  expect(await deleteOlder(db, mac, time.now - 5 * day)).toBe(old.length);
  expect(await forgetSubscriber(db, mac, 2)).toMatchObject({ entries: 1 });
  await db.transaction().execute((tx) => useExternalKey(tx, later));
  await addEntries(db, later, list.slice(6), time.now - day, 'later');
  // With a creation under the same name that was refused.
  expect(await forgetSubscriber(db, later, 5)).toMatchObject({ entries: 3 });
  const result = await verifyJournal(db, later);
  if ('fault' in result) throw new Error(result.fault);
  return { db, head: result.head, time };
}

type Row = Record<string, unknown>;
const read = async (db: Db, table: Table) =>
  (await sql<Row>`select * from ${sql.table(table)} order by 1, 2`.execute(db)).rows;

/** Replaces the rows of a table. */
async function write(db: Db, table: Table, rows: readonly Row[]): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db);
  for (const row of rows)
    await db
      .insertInto(table)
      .values(row as unknown as BffTables['journal'])
      .execute();
}

/** Another value that the column allows, of the same type. */
function changed(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value + by;
  if (typeof value === 'string') return by % 2 === 0 && value !== '' ? null : `${value}${by}`;
  return by;
}

const notNull = (
  'id seq at staff_id staff_name operation username request_id lock_key kind mac ' +
  'anchor_mac anchor_proof key_mac'
).split(' ');

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;
const mutation = fc.record({
  table: fc.constantFrom(...tables),
  kind: fc.constantFrom('edit', 'edit', 'edit', 'drop', 'swap', 'truncate'),
  row: fc.nat(),
  other: fc.nat(),
  column: fc.nat(),
  by: fc.integer({ min: 1, max: 1000 }),
});

/** Columns that are no part of an entry: they say who may repeat a change. */
const uncovered = ['key_hash', 'fingerprint'];

/** The rows of a table after an edit by hand; null if the edit changes nothing. */
function mutate(rows: readonly Row[], { kind, row, other, column, by }: Mutation): Row[] | null {
  const [first, second] = [row % rows.length, other % rows.length];
  const one = rows[first] ?? {};
  const names = Object.keys(one).filter((each) => !uncovered.includes(each));
  const name = names[column % names.length] ?? '';
  if (kind === 'drop') return rows.filter((_, at) => at !== first);
  if (kind === 'truncate') return rows.slice(0, first);
  const values = new Map([[first, changed(one[name], by)]]);
  if (kind === 'swap') {
    values.set(first, rows[second]?.[name]);
    values.set(second, one[name]);
  }
  const mutated = rows.map((each, at) => (values.has(at) ? { ...each, [name]: values.get(at) } : each));
  const isWritable = mutated.every((each) => each[name] !== null || !notNull.includes(name));
  return isWritable && JSON.stringify(mutated) !== JSON.stringify(rows) ? mutated : null;
}

/** Few on other engines: the computation on rows is the same on each. */
const edits = engine === 'sqlite' ? 1000 : 200;

test.each([
  ['', mac],
  [', half of them under an external key', createMac(journalKey, 'C'.repeat(42) + 'A')],
])(
  'verifyJournal finds every random edit of the tables%s',
  async (_, keys) => {
    const { db, head } = await openJournal(keys);
    const stored = new Map(
      await Promise.all(tables.map(async (table) => [table, await read(db, table)] as const)),
    );
    const missed: unknown[] = [];
    let tried = 0;
    for (const each of fc.sample(mutation, { numRuns: 4000, seed: 7 })) {
      const rows = stored.get(each.table) ?? [];
      const mutated = mutate(rows, each);
      if (!mutated || tried === edits) continue;
      // The constraints of the tables refuse some of the edits.
      const written = await write(db, each.table, mutated).then(
        () => true,
        () => false,
      );
      if (written) {
        tried += 1;
        const result = await verifyJournal(db, keys, head);
        if (!('fault' in result) || !/(link|entry|head|chain|key)/i.test(result.fault)) missed.push(each);
      }
      await write(db, each.table, rows);
    }
    expect({ tried, missed }).toEqual({ tried: edits, missed: [] });
    expect(await verifyJournal(db, keys, head)).toMatchObject({ entries });
  },
  120_000,
);

test('verifyJournal names what was edited with a proof that has another key, or without one', async () => {
  const { db, head } = await openJournal();
  const id = 'later-1';
  const entry = await findChange(db, id);
  const other = await findChange(db, 'entry-1');
  if (!entry || !other) throw new Error('There are no such entries.');
  const set = (columns: Partial<BffTables['journal']>) =>
    db.updateTable('journal').set(columns).where('id', '=', id).execute();
  const edited = { ...entry, staff_name: 'Nobody' };
  await set(edited);
  // What is right for the entry as it was is wrong for it as it is.
  for (const proof of [
    await proofOfEntry(createMac('B'.repeat(43)), edited),
    await proofOfEntry(mac, entry),
    other.proof,
    entry.mac,
  ]) {
    await set({ proof });
    expect(await verifyJournal(db, mac, head)).toEqual({
      fault: `Entry ${id} of link ${entry.seq} was deleted or changed by something other than Subscriber Desk.`,
    });
  }
  await db.deleteFrom('journal').where('id', '=', id).execute();
  expect(await verifyJournal(db, mac, head)).toEqual({ fault: `Link ${entry.seq} is missing.` });
});

test('verifyJournal finds a cut-off end only with an exported head', async () => {
  const { db, head } = await openJournal();
  const last = await db
    .selectFrom('journal')
    .select(['seq', 'mac'])
    .orderBy('seq', 'desc')
    .offset(2)
    .limit(1)
    .executeTakeFirstOrThrow();
  const end: Head = { seq: last.seq, mac: last.mac };
  await db.deleteFrom('journal').where('seq', '>', end.seq).execute();
  await db.updateTable('journal_head').set(end).execute();
  const open = {
    outcome: null,
    closed_seq: null,
    closed_at: null,
    code: null,
    after: null,
    version: null,
    closed_mac: null,
  };
  await db.updateTable('journal').set(open).where('closed_seq', '>', end.seq).execute();
  expect(await verifyJournal(db, mac)).toMatchObject({ head: end });
  expect(await verifyJournal(db, mac, end)).toMatchObject({ head: end });
  expect(await verifyJournal(db, mac, head)).toEqual({
    fault: expect.stringContaining(`The head ${writeHead(head)} is missing`),
  });
});

test('verifyJournal accepts an exported head after later entries, and refuses a wrong one', async () => {
  const { db, head, time } = await openJournal();
  await addEntries(db, mac, kinds, time.now, 'last');
  expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: entries + kinds.length });
  const other = { seq: head.seq, mac: `${head.mac.slice(1)}A` };
  expect(await verifyJournal(db, mac, other)).toHaveProperty('fault');
});

test('verifyJournal names an inserted entry without a link', async () => {
  const { db, head } = await openJournal();
  const row = await db
    .selectFrom('journal')
    .selectAll()
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('journal')
    .values({ ...row, id: 'forged', seq: 99, lock_key: 's:forged' })
    .execute();
  expect(await verifyJournal(db, mac, head)).toEqual({
    fault: expect.stringContaining('Entry forged has no link'),
  });
});

test('verifyJournal accepts an empty journal and returns its head', async () => {
  const { db } = await createTestDesk({ staff: {} });
  const result = await verifyJournal(db, mac);
  expect(result).toMatchObject({ entries: 0, head: { seq: 0, mac: '' } });
  expect(readHead(writeHead({ seq: 0, mac: '' }))).toEqual({ seq: 0, mac: '' });
  expect(['', 'x', '-1-a', '1', '1-!'].map(readHead)).toEqual([null, null, null, null, null]);
});

test('verifyJournal finds a fault with another key', async () => {
  const { db } = await openJournal();
  expect(await verifyJournal(db, createMac('B'.repeat(43)))).toHaveProperty('fault');
});

test('verifyJournal accepts entries that are appended while it runs', async () => {
  const { db, head, time } = await openJournal();
  const appending = addEntries(
    db,
    mac,
    Array.from({ length: 30 }, () => kinds[1] ?? kinds[0]),
    time.now,
    'more',
  );
  for (let round = 0; round < 10; round += 1)
    expect(await verifyJournal(db, mac, head)).not.toHaveProperty('fault');
  await appending;
  expect(await verifyJournal(db, mac, head)).toMatchObject({ entries: entries + 30 });
});
