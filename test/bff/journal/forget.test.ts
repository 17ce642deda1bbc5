import { beforeEach, describe, expect, it } from 'vitest';
import { createMac, JournalKeyError } from '../../../src/bff/journal/chain.ts';
import { forgetSubscriber } from '../../../src/bff/journal/forget.ts';
import { useExternalKey } from '../../../src/bff/journal/external-key.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { addEntries } from '../../support/bff/entries.ts';
import { importText, sendText } from '../../support/bff/import-file.ts';
import { prepare, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { person } from '../../support/people.ts';

const mac = createMac(journalKey);
const tables = ['journal', 'drafts'] as const;
const someone = person('canary-name', { email: 'canary@example.com', note: 'canary note' });

let desk: TestDesk;
let ann: ReturnType<TestDesk['as']>;
beforeEach(async () => {
  desk = await createTestDesk({ people: [person('other')] });
  ann = desk.as('manager', 'Ann');
});

const forget = (id = 2, names: string[] = []) => forgetSubscriber(desk.db, mac, id, names);
const send = (method: string, path: string, body: unknown, key: string) =>
  ann.fetch(
    ask(method, path, {
      body,
      headers: { [changeHeaders.key]: `${key}-0123456789abcdef`, [changeHeaders.reason]: 'canary%20reason' },
    }),
  );
const entered = { ...someone, expiresAt: '2027-01-01T00:00:00.000Z' };
const blank = { ...createDefaults, email: '', expiresAt: '' };
const draftOf = (username: string, note: string) => ({ values: { ...blank, username, note }, base: null });

/** Everything that staff can do with a subscriber, whose id is 2. */
async function doEverything() {
  // One that fails, so it has no id.
  desk.upstream.operation = () => new Response(null, { status: 400 });
  await send('POST', '/api/subscribers', entered, 'failed');
  desk.upstream.operation = (_, next) => next();
  expect((await send('POST', '/api/subscribers', entered, 'made')).status).toBe(200);
  expect((await send('PUT', '/api/subscribers/2', { note: 'canary again' }, 'changed')).status).toBe(200);
  expect((await send('PUT', '/api/subscribers/2', { username: 'canary-2' }, 'renamed')).status).toBe(200);
  expect((await ann.ask('POST', '/bff/subscribers/2/reveal-token')).status).toBe(200);
  expect((await send('POST', '/api/subscribers/2/regenerate-token', undefined, 'token')).status).toBe(200);
  await ann.ask('PUT', '/bff/drafts/2', draftOf('canary-2', 'canary draft'));
  await ann.ask('PUT', '/bff/drafts/new', draftOf('Canary-Name', ''));
  expect((await send('DELETE', '/api/subscribers/2', undefined, 'deleted')).status).toBe(200);
}

const dump = async () =>
  JSON.stringify(
    await Promise.all(tables.map((table) => desk.db.selectFrom(table).selectAll().execute())),
  ).toLowerCase();
const headNow = async () => {
  const result = await verifyJournal(desk.db, mac);
  if ('fault' in result) throw new Error(result.fault);
  return result.head;
};

describe('forgetSubscriber', () => {
  it('erases what tells of the person, and leaves who did what and when in a valid chain', async () => {
    await doEverything();
    const before = await desk.db.selectFrom('journal').selectAll().orderBy('seq').execute();
    expect(await dump()).toContain('canary');
    const head = await headNow();
    expect(await forget()).toMatchObject({ entries: 7, drafts: 2, rows: 0, recent: 0, open: 0 });
    expect(await dump()).not.toContain('canary');
    const after = await desk.db.selectFrom('journal').selectAll().orderBy('seq').execute();
    const names = ['at', 'staff_id', 'operation', 'subscriber_id', 'outcome', 'closed_at'] as const;
    const stored = (rows: typeof before) => rows.map((row) => names.map((name) => row[name]));
    expect(stored(after)).toEqual(stored(before));
    expect(await verifyJournal(desk.db, mac, head)).toMatchObject({ entries: 7, head });
    expect(await forget()).toMatchObject({ entries: 0, drafts: 0, rows: 0, recent: 0, open: 0 });
    expect(await verifyJournal(desk.db, mac, head)).toMatchObject({ entries: 7, head });
  });

  it('leaves entries that can be listed, and not undone', async () => {
    await doEverything();
    await forget();
    const { items } = (await ann.bff.listActivity({ query: { subscriberId: 2 } })).data;
    expect(items.map(({ operation, username }) => [operation, username])).toEqual([
      ['deleteSubscriber', ''],
      ['regenerateToken', ''],
      ['revealToken', ''],
      ['updateSubscriber', ''],
      ['updateSubscriber', ''],
      ['createSubscriber', ''],
    ]);
    for (const { id, kind } of items) {
      const answer = await ann.ask('POST', `/bff/activity/${id}/undo`);
      expect([kind, await codeIn(answer)]).toEqual([kind, 'cannot-undo']);
    }
    expect(desk.upstream.calls.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('does not let a change be made twice that is sent again', async () => {
    await doEverything();
    await forget();
    const calls = desk.upstream.calls.length;
    const again = await send('DELETE', '/api/subscribers/2', undefined, 'deleted');
    expect([again.status, await again.json()]).toEqual([200, { id: 2 }]);
    expect((await send('POST', '/api/subscribers', entered, 'made')).status).toBe(404);
    expect(desk.upstream.calls).toHaveLength(calls);
  });

  it('leaves other subscribers, their drafts and answers as they are', async () => {
    await send('PUT', '/api/subscribers/1', { note: 'theirs' }, 'theirs');
    await ann.ask('PUT', '/bff/drafts/1', draftOf('other', 'theirs'));
    await desk.db.updateTable('drafts').set({ owner: 'kari' }).execute();
    await ann.ask('PUT', '/bff/drafts/new', draftOf('canary', 'theirs'));
    const before = await desk.rows('journal');
    await doEverything();
    await ann.ask('PUT', '/bff/drafts/new', draftOf('canary', 'theirs'));
    expect(await forget()).toMatchObject({ entries: 7, drafts: 1, rows: 0, recent: 0, open: 0 });
    const theirs = desk.db.selectFrom('journal').selectAll().where('subscriber_id', '=', 1);
    expect(await theirs.execute()).toEqual(before);
    const drafts = await desk.db.selectFrom('drafts').select(['owner', 'form']).orderBy('form').execute();
    expect(drafts).toEqual([
      { owner: 'kari', form: '1' },
      { owner: 'tab', form: 'new' },
    ]);
  });

  it('says that nothing is stored about an id', async () => {
    expect(await forget(99)).toBeNull();
    await desk.service.createSubscriber({ body: person('draft-only') });
    await ann.ask('PUT', '/bff/drafts/2', draftOf('draft-only', ''));
    expect(await forget(2)).toMatchObject({ entries: 0, drafts: 1, rows: 0, recent: 0, open: 0 });
  });

  it('erases what names the person elsewhere: views, reasons, filters and waiting files, whatever their case', async () => {
    await doEverything();
    await ann.bff.addView({ body: { name: 'Theirs', query: { Username: 'CANARY name' } } });
    await ann.bff.addView({ body: { name: 'Others', query: { Username: 'canary' } } });
    const update = { kind: 'update', change: { appendNote: 'As Canary-Name.' } } as const;
    const targets = { query: { Email: 'other', IsTrial: 'false' } } as const;
    const other = await prepare(ann, { ...update, targets, reason: 'For CANARY@example.com.' });
    await runToEnd(ann, other.id);
    const refused = { detail: 'Canary-Name has it.', source: '["CANARY@example.com"]' };
    await desk.db.updateTable('job_rows').set(refused).where('job_id', '=', other.id).execute();
    await sendText(ann, 'Canary-Name,canary@example.com\nsomeone,x\n');
    await sendText(ann, 'username,note\nsomeone,Friend of canary-name\n');
    const file = 'username,note\nCANARY-name,x\n';
    const read = await importText(ann, file, { mode: 'create', columns: ['username', 'note'] });
    await untilJob(ann, read.id, 'ready', 'stopped');
    expect(await forget()).toMatchObject({ views: 1, jobs: 1, files: 3, rows: 2, entries: 9, open: 0 });
    const tables = [await desk.rows('jobs'), await desk.rows('imports'), await desk.rows('import_parts')];
    const texts = (await desk.rows('job_rows')).map(({ detail, source }) => [detail, source]);
    // The notes of others are theirs.
    const entries = (await desk.rows('journal')).map(({ reason, username, lock_key }) => [
      reason,
      username,
      lock_key,
    ]);
    expect(JSON.stringify([tables, texts, entries])).not.toMatch(/canary[- ]name|canary@/i);
    expect((await ann.bff.listViews({})).data.map(({ name }) => name)).toEqual(['Others']);
    expect((await ann.bff.getJob({ params: { id: other.id } })).data).toMatchObject({
      change: { appendNote: '(erased)' },
      reason: null,
      targets: { query: { Email: 'other', IsTrial: false } },
    });
    await headNow();
  });

  it.each([
    ['Username', 'CANARY-name'],
    ['Email', 'canary@example.com'],
    ['Note', 'as canary@example.com says'],
    ['IpAddress', 'canary-name'],
    ['UserAgent', 'Player of canary-name'],
  ])('erases a name in a filter of a job by %s', async (name, value) => {
    await doEverything();
    const { id } = await prepare(ann, { kind: 'delete', targets: { ids: [1] } });
    const targets = JSON.stringify({ query: { [name]: value, IsTrial: 'false' } });
    await desk.db.updateTable('jobs').set({ targets }).where('id', '=', id).execute();
    await forget();
    expect((await ann.bff.getJob({ params: { id } })).data.targets).toMatchObject({
      query: { [name]: '(erased)', IsTrial: false },
    });
  });

  it('erases by names that it is given what nobody here has changed', async () => {
    const update = { kind: 'update', change: { appendNote: 'x' } } as const;
    await ann.bff.addView({ body: { name: 'Mine', query: { Email: 'gone@example.com' } } });
    const other = await prepare(ann, { ...update, targets: { ids: [1] }, reason: 'For gone@example.com.' });
    await runToEnd(ann, other.id);
    expect(await forget(7)).toBeNull();
    expect(await forget(7, ['someone-else'])).toBeNull();
    expect((await ann.bff.listViews({})).data).toHaveLength(1);
    expect(await forget(7, ['gone', 'gone@example.com'])).toMatchObject({ views: 1, jobs: 1, entries: 2 });
    expect(
      JSON.stringify([await desk.rows('views'), await desk.rows('jobs'), await desk.rows('journal')]),
    ).not.toMatch(/gone@/);
    await headNow();
  });

  it('leaves a valid chain where the reason of a change names the very person', async () => {
    const headers = { [changeHeaders.reason]: 'Asked%20by%20other' };
    const answer = await ann.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'x' }, headers }));
    expect(answer.status).toBe(200);
    const head = await headNow();
    expect(await forget(1)).toMatchObject({ entries: 1 });
    expect(await desk.rows('journal')).toMatchObject([{ username: '', reason: null, before_record: null }]);
    expect(await verifyJournal(desk.db, mac, head)).toMatchObject({ entries: 1, head });
  });

  it('erases nothing while a change of somebody else is open whose reason names the person', async () => {
    await addEntries(desk.db, mac, [{ operation: 'updateSubscriber', outcome: null }], desk.time.now);
    expect(await forget(7, ['because'])).toMatchObject({ entries: 0, open: 1 });
  });

  it('says if it knew no name', async () => {
    await doEverything();
    expect(await forget()).toMatchObject({ isNamed: true });
    expect(await forget()).toMatchObject({ entries: 0, isNamed: false });
    expect(await forget(2, ['canary-name'])).toMatchObject({ isNamed: true });
  });

  it('leaves an open change as it is, and erases it once it has ended', async () => {
    await addEntries(desk.db, mac, [{ operation: 'updateSubscriber', outcome: null }], desk.time.now);
    expect(await forget(1)).toMatchObject({ entries: 0, drafts: 0, rows: 0, recent: 0, open: 1 });
    expect(await dump()).toContain('user-0');
    desk.time.now += 60_000;
    await desk.runMaintenance();
    expect(await forget(1)).toMatchObject({ entries: 1, drafts: 0, rows: 0, recent: 0, open: 0 });
    expect(await dump()).not.toContain('user-0');
    await headNow();
  });

  it('works while others write to the journal', async () => {
    await doEverything();
    const done = { operation: 'updateSubscriber', outcome: 'done' } as const;
    const list = Array.from({ length: 20 }, () => done);
    const [, ...forgotten] = await Promise.all([
      addEntries(desk.db, mac, list, desk.time.now, 'meanwhile'),
      ...[1, 2, 3].map(() => forget()),
    ]);
    expect(
      forgotten.map((each) => each?.entries ?? 0).reduce((sum, each) => sum + each),
    ).toBeGreaterThanOrEqual(7);
    await forget();
    expect(await dump()).not.toContain('canary');
    expect(await verifyJournal(desk.db, mac)).toMatchObject({ entries: 27 });
  });

  it('makes nothing right that somebody edited before', async () => {
    await doEverything();
    const edited = desk.db.updateTable('journal').set({ staff_name: 'Nobody' });
    await edited.where('operation', '=', 'regenerateToken').execute();
    const before = await verifyJournal(desk.db, mac);
    expect(before).toEqual({
      fault: expect.stringMatching(/^Link \d+, or the beginning of entry .* was changed/),
    });
    expect(await forget()).toMatchObject({ entries: 7 });
    expect(await verifyJournal(desk.db, mac)).toEqual(before);
  });

  it('writes nothing under another key than that of the journal', async () => {
    await doEverything();
    const external = createMac(journalKey, 'C'.repeat(42) + 'A');
    await expect(forgetSubscriber(desk.db, external, 2)).rejects.toThrow(JournalKeyError);
    await desk.db.transaction().execute((tx) => useExternalKey(tx, external));
    await expect(forget()).rejects.toThrow(JournalKeyError);
    expect(await dump()).toContain('canary');
    expect(await forgetSubscriber(desk.db, external, 2)).toMatchObject({ entries: 7 });
    expect(await verifyJournal(desk.db, external)).toMatchObject({ entries: 7 });
  });

  it('leaves proofs that hold under an external key that comes later, and cannot be made without it', async () => {
    await doEverything();
    await forget();
    const external = createMac(journalKey, 'C'.repeat(42) + 'A');
    const old = await desk.rows('journal');
    await desk.db.transaction().execute((tx) => useExternalKey(tx, external));
    expect(await verifyJournal(desk.db, external)).toMatchObject({ entries: 7 });
    const { id = '', proof = '' } = old[0] ?? {};
    await desk.db.updateTable('journal').set({ proof }).where('id', '=', id).execute();
    expect(await verifyJournal(desk.db, external)).toEqual({
      fault: expect.stringContaining('was deleted or changed by something other than Subscriber Desk'),
    });
  });
});
