import { beforeEach, describe, expect, it, test } from 'vitest';
import { coveredText, createMac, JournalKeyError, proofOf } from '../../../src/bff/journal/chain.ts';
import { deleteOlder } from '../../../src/bff/journal/maintenance.ts';
import { useExternalKey } from '../../../src/bff/journal/external-key.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { addEntries } from '../../support/bff/entries.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { entered } from '../../support/people.ts';

const externalKey = 'C'.repeat(42) + 'A';
const ownMac = createMac(journalKey);
const mac = createMac(journalKey, externalKey);
const otherMac = createMac(journalKey, 'D'.repeat(42) + 'A');
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;
const open = { operation: 'updateSubscriber', outcome: null } as const;
const day = 86_400_000;

let desk: TestDesk;
beforeEach(async () => {
  desk = await createTestDesk({ people: [entered], externalKey });
});

const use = (given = mac) => desk.db.transaction().execute((tx) => useExternalKey(tx, given));
const add = (name: string, given = mac, list: Parameters<typeof addEntries>[2] = [done, done]) =>
  addEntries(desk.db, given, list, desk.time.now - 3 * day, name);
const verify = (given = mac) => verifyJournal(desk.db, given);
const headNow = () => desk.db.selectFrom('journal_head').selectAll().executeTakeFirstOrThrow();

/** Chains everything anew, as somebody can who has the whole database with its key. */
async function chainAnew(): Promise<void> {
  const head = await headNow();
  let last = { seq: head.anchor_seq, mac: head.anchor_mac };
  const entries = await desk.db.selectFrom('journal').selectAll().execute();
  while (last.seq < head.seq) {
    const seq = last.seq + 1;
    const entry = entries.find((each) => each.seq === seq || each.closed_seq === seq);
    if (!entry) {
      last = { seq, mac: head.key_mac };
      continue;
    }
    const [kind, column] =
      entry.seq === seq ? (['intent', 'mac'] as const) : (['outcome', 'closed_mac'] as const);
    last = { seq, mac: await ownMac('link', coveredText(last.mac, kind, seq, entry)) };
    await desk.db
      .updateTable('journal')
      .set({ [column]: last.mac })
      .where('id', '=', entry.id)
      .execute();
  }
  await desk.db.updateTable('journal_head').set(last).execute();
}

const edit = (id: string) =>
  desk.db.updateTable('journal').set({ staff_name: 'Somebody else' }).where('id', '=', id).execute();

describe('a journal under an external key', () => {
  it('goes on after the entries from before, which stay valid', async () => {
    await add('before', ownMac);
    expect(await use()).toBe(5);
    await add('after');
    expect(await verify()).toMatchObject({ entries: 4, head: { seq: 9 } });
    // The next start.
    expect(await use()).toBeNull();
    expect(await verify()).toMatchObject({ head: { seq: 9 } });
  });

  it('shows an entry that was edited with the key of the database, old or new', async () => {
    await add('before', ownMac);
    await use();
    await add('after');
    const stored = await desk.rows('journal');
    for (const [id, link] of [
      ['before-0', 5],
      ['after-1', 6],
    ] as const) {
      await edit(id);
      expect(await verify()).toEqual({ fault: expect.stringContaining(`entry ${id} that it covers`) });
      await chainAnew();
      expect(await verify()).toEqual({ fault: expect.stringMatching(`^Link ${link}, or`) });
      await desk.db.deleteFrom('journal').execute();
      await desk.db.insertInto('journal').values(stored).execute();
    }
  });

  it('shows that its key was taken out, or moved to another link', async () => {
    await add('before', ownMac);
    await use();
    await add('after');
    await edit('before-0');
    await chainAnew();
    const { key_id: _, ...head } = await headNow();
    const set = (change: object) => desk.db.updateTable('journal_head').set(change).execute();
    await set({ key_id: null, key_seq: 0, key_mac: '' });
    expect(await verify()).toEqual({ fault: expect.stringContaining('took the key out of the database') });
    await set({ key_id: await mac.keyId(), key_seq: head.seq + 1, key_mac: head.key_mac });
    expect(await verify()).toEqual({ fault: expect.stringContaining('names no link of the chain') });
    await set({ key_seq: head.seq });
    expect(await verify()).toEqual({ fault: expect.stringContaining('Link 5 is missing') });
    // Not even without the link of the key: as a chain of the database's own key alone.
    await set({ key_seq: 0, key_mac: '' });
    expect(await verify()).toHaveProperty('fault');
  });

  it('keeps its proof of what was pruned, which nobody else can make', async () => {
    await add('before', ownMac);
    await deleteOlder(desk.db, ownMac, desk.time.now - 3 * day + 30_000);
    expect(await verify(ownMac)).toMatchObject({ entries: 1 });
    await use();
    await add('after');
    expect(await verify()).toMatchObject({ entries: 3 });
    await deleteOlder(desk.db, mac, desk.time.now);
    expect(await headNow()).toMatchObject({ anchor_seq: 9, key_seq: 9 });
    await add('last');
    expect(await verify()).toMatchObject({ entries: 2, head: { seq: 13 } });
    const { anchor_seq: seq, anchor_mac } = await headNow();
    const forged = { anchor_proof: await proofOf(ownMac, { seq, mac: anchor_mac }) };
    await desk.db.updateTable('journal_head').set(forged).execute();
    expect(await verify()).toEqual({ fault: expect.stringContaining('The beginning of the journal') });
  });

  it('does not make a wrong proof right when the key comes', async () => {
    await add('before', ownMac);
    await desk.db.deleteFrom('journal').where('seq', '<=', 2).execute();
    await desk.db.updateTable('journal_head').set({ anchor_seq: 2, anchor_mac: 'x' }).execute();
    await use();
    expect(await verify()).toEqual({ fault: expect.stringContaining('The beginning of the journal') });
  });

  it('does not make the wrong proof of an edited entry right when the key comes', async () => {
    await add('before', ownMac);
    await edit('before-0');
    await desk.db.updateTable('journal').set({ proof: 'made up' }).where('id', '=', 'before-0').execute();
    expect(await verify(ownMac)).toHaveProperty('fault');
    await use();
    expect(await verify()).toHaveProperty('fault');
  });

  it('is verified with its key alone', async () => {
    await use();
    await add('after');
    expect(await verify(ownMac)).toEqual({ fault: expect.stringContaining('Set JOURNAL_KEY') });
    expect(await verify(otherMac)).toEqual({ fault: expect.stringContaining('under another key') });
  });
});

describe('a server with another key, or without one', () => {
  it('does not start', async () => {
    await use();
    await expect(use(otherMac)).rejects.toThrow(JournalKeyError);
    await expect(use(ownMac)).rejects.toThrow(JournalKeyError);
    expect((await headNow()).seq).toBe(1);
  });

  it('changes nothing any more if it runs already, and the others go on', async () => {
    const send = (given: string | null) =>
      desk.as('manager', 'Ann', { externalKey: given }).ask('PUT', '/api/subscribers/1', { note: 'changed' });
    expect((await send(null)).status).toBe(200);
    await use();
    await desk.service.updateSubscriber({ params: { id: 1 }, body: { note: 'as it was' } });
    for (const other of [null, 'D'.repeat(42) + 'A']) {
      expect(await outcomeOf(send(other))).toBe('500 internal-error');
    }
    expect((await desk.saved()).note).toBe('as it was');
    expect((await send(externalKey)).status).toBe(200);
    expect((await desk.saved()).note).toBe('changed');
    expect(await verify()).toMatchObject({ entries: 2, head: { seq: 5 } });
  });

  it('leaves a change open that it began before, for a server with the key to reconcile', async () => {
    await add('abandoned', ownMac, [open]);
    await use();
    desk.time.now += day;
    await desk.as('manager', 'Ann', { externalKey: null }).runMaintenance();
    expect((await headNow()).seq).toBe(2);
    await desk.runMaintenance();
    expect((await headNow()).seq).toBe(3);
    expect(await verify()).toMatchObject({ entries: 1 });
  });
});

test('a signature besides the chain stays valid when the key comes', async () => {
  const sign = (given: typeof mac) =>
    Promise.all((['token', 'fingerprint', 'version'] as const).map((purpose) => given(purpose, 'text')));
  expect(await sign(mac)).toEqual(await sign(ownMac));
  const headers = { [changeHeaders.key]: 'the-same-key-before-and-after' };
  const send = (given: string | null) =>
    desk
      .as('manager', 'Ann', { externalKey: given })
      .fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'once' }, headers }));
  const first = await send(null);
  await use();
  const second = await send(externalKey);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await second.text()).toBe(await first.text());
  expect(await verify()).toMatchObject({ entries: 1 });
});

describe('the head of the journal in the log', () => {
  const heads = () =>
    desk.logs
      .filter(({ event }) => event === 'journal-head')
      .map(({ seq, mac: value }) => [seq, value].join('-'));

  it('is written each hour and at the stop', async () => {
    await use();
    await add('one');
    await desk.runMaintenance();
    desk.time.now += 59 * 60_000;
    await desk.runMaintenance();
    expect(heads()).toHaveLength(1);
    await add('two');
    for (const [index, passed] of [60_000, 500 * day].entries()) {
      desk.time.now += passed;
      await desk.runMaintenance();
      expect(heads()).toHaveLength(index + 2);
    }
    await desk.stop();
    const { seq, mac: last } = await headNow();
    expect(heads().at(-1)).toBe(`${seq}-${last}`);
    expect(new Set(heads()).size).toBe(2);
  });

  it('does not fail where the database does', async () => {
    await desk.db.schema.dropTable('journal_head').execute();
    await desk.stop();
    expect(desk.logs.at(-1)).toMatchObject({ level: 'warn', event: 'journal-head-unknown' });
  });

  it('shows a cut-off end and a rewritten chain, and names when it was logged', async () => {
    await use();
    await add('one');
    const { seq, mac: value } = await headNow();
    const logged = { seq, mac: value, time: '2026-01-01T10:00:00.000Z' };
    await add('two');
    expect(await verifyJournal(desk.db, mac, null, [logged])).toMatchObject({ witnesses: 1 });
    const other = { ...logged, mac: `${value.slice(1)}A` };
    expect(await verifyJournal(desk.db, mac, null, [logged, other])).toEqual({
      fault: `The head ${seq}-${other.mac}, logged at 2026-01-01T10:00:00.000Z, does not match link ${seq}.`,
    });
    const later = { ...logged, seq: 99 };
    expect(await verifyJournal(desk.db, mac, null, [later])).toEqual({
      fault: `The head 99-${value}, logged at 2026-01-01T10:00:00.000Z, is missing: the journal now ends at link 9.`,
    });
    // Whoever has the database alone puts an empty journal in its place, which the next start takes as new.
    for (const table of ['journal', 'journal_head'] as const) await desk.db.deleteFrom(table).execute();
    await use();
    await add('forged', mac, [done, done, done]);
    expect(await verify()).not.toHaveProperty('fault');
    expect(await verifyJournal(desk.db, mac, null, [logged])).toHaveProperty('fault');
  });

  it('is left out where it is older than the oldest entry', async () => {
    await use();
    await add('one');
    const { seq, mac: value } = await headNow();
    await add('two');
    await deleteOlder(desk.db, mac, desk.time.now);
    const logged = { seq, mac: value, time: '2026-01-01T10:00:00.000Z' };
    expect(await verifyJournal(desk.db, mac, null, [logged])).toMatchObject({ witnesses: 0 });
  });
});
