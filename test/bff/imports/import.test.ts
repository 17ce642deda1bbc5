import { beforeEach, describe, expect, it, test } from 'vitest';
import type * as z from 'zod/mini';
import { importColumns, type ImportPlan } from '../../../src/contract/bff/import.ts';
import { importModes } from '../../../src/contract/bff/job.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { importText, sendText } from '../../support/bff/import-file.ts';
import { rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { createOtherService, otherUpstream } from '../../support/bff/other-service.ts';
import { anna, person } from '../../support/people.ts';

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people: [anna, person('bo'), person('cy')] });
  manager = await desk.signIn('manager');
});

type Plan = z.input<typeof ImportPlan>;

const csvOf = (...rows: (readonly string[])[]) =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('');

/** Sends a file with these rows below its headings, and waits until it is prepared. */
async function importRows(plan: Plan, rows: readonly (readonly string[])[]) {
  const headings = plan.columns.map((name) => String(name));
  const { id } = await importText(manager, csvOf(headings, ...rows), plan);
  return untilJob(manager, id, 'ready', 'stopped');
}

const all = async () => (await desk.service.listSubscribers({ query: {} })).data.items;

describe('an import', () => {
  it('updates by id: an empty cell keeps, a lone dash empties, and what is so already stays', async () => {
    const columns: Plan['columns'] = ['id', 'note', 'countries', 'maxConnections', null];
    const ready = await importRows({ mode: 'update', columns }, [
      ['1', '-', 'DK FI', '', 'ignored'],
      ['2', '', '', '1', ''],
      ['3', "'=1+1", '-', '7', ''],
    ]);
    expect(ready).toMatchObject({ kind: 'import', counts: { change: 2, unchanged: 1, skipped: 0 } });
    expect(await rowsOf(manager, ready.id)).toMatchObject([
      {
        number: 1,
        username: 'anna',
        before: { note: anna.note },
        after: { note: '', countries: ['DK', 'FI'] },
      },
      { number: 2, result: 'unchanged', why: 'already-so' },
      { number: 3, after: { note: '=1+1', maxConnections: 7 }, source: null },
    ]);
    expect(await runToEnd(manager, ready.id)).toMatchObject({ state: 'done', counts: { done: 2 } });
    expect(await all()).toMatchObject([
      { note: '', maxConnections: 3 },
      { maxConnections: 1 },
      { note: '=1+1', maxConnections: 7 },
    ]);
  });

  it('updates or creates by username, whatever the case, and its undo deletes whom it created', async () => {
    const file: Plan = { mode: 'upsert', columns: ['username', 'email', 'expiresAt', 'isTrial'] };
    const ready = await importRows({ ...file, zone: 'Europe/Oslo' }, [
      ['ANNA', 'new@example.com', '', ''],
      ['dora', 'dora@example.com', '2027-01-01 12:00', 'yes'],
    ]);
    expect(ready).toMatchObject({ counts: { change: 2 } });
    await runToEnd(manager, ready.id);
    const made = (await all()).at(-1);
    expect(made).toMatchObject({ username: 'dora', expiresAt: '2027-01-01T11:00:00.000Z', isTrial: true });
    expect((await all())[0]).toMatchObject({ username: 'anna', email: 'new@example.com' });
    expect((await rowsOf(manager, ready.id))[1]).toMatchObject({ subscriberId: made?.id, result: 'done' });
    const { data: undo } = await manager.bff.undoJob({ params: { id: ready.id } });
    await untilJob(manager, undo.id, 'ready');
    await runToEnd(manager, undo.id);
    expect(await all()).toMatchObject([{ email: anna.email }, { username: 'bo' }, { username: 'cy' }]);
  });

  it('says for each row what is wrong with it, and changes the others', async () => {
    const ready = await importRows({ mode: 'upsert', columns: ['username', 'email', 'expiresAt', 'hls'] }, [
      ['eve', 'eve', '2027-01-01', 'maybe'],
      ['eve', 'no address', '2027-01-01', ''],
      ['', 'x@example.com', '2027-01-01', ''],
      ['Bo', 'bo2@example.com', '', ''],
      ['bo', 'bo3@example.com', '', ''],
      ['fay', 'fay@example.com', '', ''],
      ['gil', 'gil@example.com', '2027-01-01', '', 'one more'],
    ]);
    const rows = await rowsOf(manager, ready.id);
    expect(rows.map(({ result, why, detail }) => [result, why, detail])).toEqual([
      ['skipped', 'invalid-input', 'hls: Use true or false.'],
      ['skipped', 'invalid-input', expect.stringMatching(/^email: /)],
      ['skipped', 'invalid-input', 'Username: Enter a username.'],
      ['change', null, null],
      ['skipped', 'invalid-input', 'This subscriber is in row 5, too. Remove one of them.'],
      ['skipped', 'invalid-input', expect.stringMatching(/^expiresAt: /)],
      ['skipped', 'invalid-input', expect.stringContaining('more cells')],
    ]);
    await runToEnd(manager, ready.id);
    expect((await all())[1]).toMatchObject({ email: 'bo2@example.com' });
  });

  it('says that an ID has to be a whole number from 1 on', async () => {
    const ready = await importRows({ mode: 'update', columns: ['id', 'note'] }, [
      ['0', 'x'],
      ['1.5', 'x'],
    ]);
    expect((await rowsOf(manager, ready.id)).map(({ detail }) => detail)).toEqual([
      'ID: Use a whole number, 1 or higher.',
      'id: Use a whole number.',
    ]);
  });

  it('says in the preview who has a username already, of the subscribers and of the rows', async () => {
    const ready = await importRows({ mode: 'update', columns: ['id', 'username'] }, [
      ['1', 'BO'],
      ['2', 'new'],
      ['3', 'NEW'],
    ]);
    expect(await rowsOf(manager, ready.id)).toMatchObject([
      {
        username: 'anna',
        why: 'invalid-input',
        detail: expect.stringMatching(/^Username: Subscriber #2 has “BO”/),
      },
      { username: 'bo', result: 'change', after: { username: 'new' } },
      { username: 'cy', result: 'skipped', detail: expect.stringMatching(/^Username: Row 3 has/) },
    ]);
    expect(await runToEnd(manager, ready.id)).toMatchObject({ counts: { done: 1, failed: 0, skipped: 2 } });
  });

  it('skips a row of an old file where somebody changed the same fields since, or imports it anyway', async () => {
    const columns = ['username', 'note', 'version'] as const;
    const answer = await manager.fetch(ask('GET', `/bff/export?format=jsonl&columns=${columns.join()}`));
    const lines = (await answer.text()).trim().split('\n');
    const edited = lines.map((line) => ({ ...JSON.parse(line), note: 'From the file.' }));
    const file = csvOf(columns, ...edited.map((row) => columns.map((name) => row[name])));
    await desk.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Newer.' } });
    await desk.service.updateSubscriber({ params: { id: 2 }, body: { maxConnections: 5 } });
    await desk.service.deleteSubscriber({ params: { id: 3 } });
    const plan: Plan = { mode: 'upsert', columns: [...columns] };
    const { id } = await importText(manager, file, plan);
    const ready = await untilJob(manager, id, 'ready');
    expect(ready.preview?.others).toEqual([{ result: 'skipped', why: 'changed-since-export', count: 2 }]);
    expect(await rowsOf(manager, id)).toMatchObject([
      { username: 'anna', result: 'skipped', detail: 'Changed since the export.' },
      { username: 'bo', result: 'change', after: { note: 'From the file.' } },
      { username: 'cy', result: 'skipped', detail: 'Deleted or renamed since the export.' },
    ]);
    await manager.bff.importAnyway({ params: { id } });
    expect(await untilJob(manager, id, 'ready')).toMatchObject({ counts: { change: 2, skipped: 1 } });
    expect(await runToEnd(manager, id)).toMatchObject({ counts: { done: 2 } });
    expect(await all()).toMatchObject([
      { note: 'From the file.' },
      { note: 'From the file.', maxConnections: 5 },
    ]);
    await expect(manager.bff.importAnyway({ params: { id } })).rejects.toMatchObject({
      code: 'wrong-job-state',
    });
  });

  it('reads dates and words as spreadsheets in other languages write them, and says how', async () => {
    const columns: Plan['columns'] = ['username', 'email', 'expiresAt', 'isTrial', 'hls', 'mpegTs'];
    const ready = await importRows({ mode: 'upsert', columns, zone: 'Europe/Oslo' }, [
      ['dora', 'dora@example.com', '1/2/2027', 'ja', 'VRAI', 'oui'],
      ['eve', 'eve@example.com', '31/12/2027 9:30', 'Nein', 'FAUX', 'ja'],
      ['bo', '', '31/2/2027', '', '', ''],
      ['anna', '', '2027-01-01', '', '', ''],
    ]);
    expect(ready.preview).toMatchObject({
      created: 0,
      readAs: [
        'Expires: “31/12/2027 9:30” is read as 2027-12-31 09:30.',
        'Trial: “ja” is read as true, “nein” is read as false.',
        'HLS: “vrai” is read as true, “faux” is read as false.',
      ],
    });
    // Where the words of a column do not agree, nobody can tell what they mean.
    expect((await rowsOf(manager, ready.id)).map(({ detail }) => detail)).toEqual([
      'mpegTs: Use true or false.',
      'mpegTs: Use true or false.',
      expect.stringContaining('Enter a date and time'),
      null,
    ]);
    const without = await importRows({ mode: 'upsert', columns: columns.slice(0, 5), zone: 'Europe/Oslo' }, [
      ['dora', 'dora@example.com', '12/1/2027', 'sann', 'WAHR'],
      ['eve', 'eve@example.com', '12/31/2027', 'usann', ''],
    ]);
    expect(without.preview).toMatchObject({ created: 2 });
    expect((await rowsOf(manager, without.id)).map(({ after }) => after)).toMatchObject([
      { expiresAt: '2027-12-01T22:59:59.000Z', isTrial: true, hls: true },
      { expiresAt: '2027-12-31T22:59:59.000Z', isTrial: false },
    ]);
  });

  it('reads no dates whose day and month nobody can tell apart', async () => {
    for (const dates of [['1/2/2027'], ['31/12/2027', '12/31/2027']]) {
      const rows = dates.map((date, index) => [String(index + 1), date]);
      const ready = await importRows({ mode: 'update', columns: ['id', 'expiresAt'] }, rows);
      expect(ready).toMatchObject({ counts: { change: 0 }, preview: { readAs: [] } });
    }
  });

  it('names a row that cannot be read, and says that a status is not imported', async () => {
    const text =
      'ID,Username,Status,Bundles\n1,anna,Suspended,30 7\n2,,2,9\n3,cy,Active,-\n,dora,,1\n4,eve,,Sprots';
    const columns: Plan['columns'] = ['id', 'username', null, 'bundles'];
    const { id } = await importText(manager, text, { mode: 'update', columns });
    await untilJob(manager, id, 'ready');
    const status = 'Status: A status can’t be imported, so it stays as it is.';
    expect(await rowsOf(manager, id)).toMatchObject([
      { username: 'anna', result: 'unchanged', why: 'status-not-imported', detail: status },
      { username: 'bo', result: 'change', why: null, detail: status },
      { username: 'cy', result: 'unchanged', why: 'already-so' },
      { username: 'dora', detail: expect.stringContaining('“Update or create by username”') },
      { username: 'eve', detail: expect.stringMatching(/^Bundles: No bundle is called “Sprots”/) },
    ]);
  });

  it('says that a new subscriber does not get the status of its row', async () => {
    const rows = ['Blocked', 'Active', ''].map(
      (status, index) => `new-${index},n@example.com,2027-01-01,${status}`,
    );
    const columns: Plan['columns'] = ['username', 'email', 'expiresAt', null];
    const text = ['Username,Email,Expires,Status', ...rows].join('\n');
    const { id } = await importText(manager, text, { mode: 'create', columns });
    await untilJob(manager, id, 'ready');
    const details = (await rowsOf(manager, id)).map(({ result, detail }) => [result, detail]);
    const other = 'Status: A status can’t be imported, so a new subscriber gets the usual one.';
    expect(details).toEqual([
      ['change', other],
      ['change', null],
      ['change', null],
    ]);
  });

  it('lists a row that could not be read with what is wrong, and counts the lines of JSON lines from 1', async () => {
    const lines = ['{"id":1,"note":"New."}', '{"id":', '{"id":1,"note":"Again."}'];
    const { id } = await importText(manager, lines.join('\n'), { mode: 'update', columns: ['id', 'note'] });
    const ready = await untilJob(manager, id, 'ready', 'stopped');
    expect(ready).toMatchObject({ file: { format: 'jsonl' }, counts: { change: 1, skipped: 2 } });
    expect(await rowsOf(manager, id, 'skipped')).toMatchObject([
      { number: 2, why: 'invalid-input', detail: expect.stringMatching(/^Line 2 isn’t JSON/), source: [] },
      { number: 3, detail: 'This subscriber is in row 1, too. Remove one of them.', source: ['1', 'Again.'] },
    ]);
  });

  it('has a mode that only creates', async () => {
    const ready = await importRows({ mode: 'create', columns: ['username', 'email', 'expiresAt'] }, [
      ['bo', 'bo@example.com', '2027-01-01'],
      ['hal', 'hal@example.com', '2027-01-01'],
    ]);
    expect(ready.counts).toMatchObject({ change: 1, skipped: 1 });
  });

  it('takes its text in parts, also twice, and keeps it until the job is prepared', async () => {
    const { id } = (await manager.bff.addImport({ body: { name: 'a.csv' } })).data;
    const params = { id };
    const send = async (at: number, text: string, isLast = false) =>
      (await manager.bff.addImportText({ params, body: { at, text, isLast } })).data;
    const body = { mode: 'update', columns: ['id', 'note'] } satisfies Plan;
    const first = await send(0, 'ID,Note\n1,First.\n2,Sec');
    expect(first).toEqual({ id, at: 17, rows: 1, summary: null });
    await expect(manager.bff.createImport({ params, body })).rejects.toMatchObject({
      code: 'wrong-job-state',
    });
    // Its answer was lost.
    expect(await send(0, 'ID,Note\n1,First.\n2,Sec')).toEqual(first);
    await expect(send(18, '')).rejects.toMatchObject({ code: 'invalid-input' });
    const last = await send(17, '2,Second.\n3,Third.', true);
    const summary = { format: 'csv', headings: ['ID', 'Note'] };
    expect(last).toMatchObject({
      rows: 3,
      summary: {
        ...summary,
        examples: [['1', 'First.'], ['2'], ['3']].map((row) => expect.arrayContaining(row)),
      },
    });
    expect(await send(17, '2,Second.\n3,Third.', true)).toEqual(last);
    await manager.bff.createImport({ params, body });
    const ready = await untilJob(manager, id, 'ready');
    expect(ready).toMatchObject({ id, total: 3, counts: { change: 3 } });
    await runToEnd(manager, id);
    expect(await all()).toMatchObject([{ note: 'First.' }, { note: 'Second.' }, { note: 'Third.' }]);
    expect(await stored()).toEqual([id, id]);
    await desk.runMaintenance();
    expect(await stored()).toEqual([]);
  });

  it('lists a username that nobody can have, and prepares the others', async () => {
    const usernames = ['x'.repeat(65), 'a\0b', '\ud800', 'bo'];
    const rows = usernames.map((name) => [name, 'new@example.com']);
    const ready = await importRows({ mode: 'upsert', columns: ['username', 'email'] }, rows);
    expect(ready).toMatchObject({ state: 'ready', counts: { change: 1, skipped: 3 } });
    const skipped = await rowsOf(manager, ready.id, 'skipped');
    expect(skipped.map(({ detail }) => detail)).toEqual([
      'username: 65 characters, limit 64: remove 1.',
      'username: Remove line breaks and control characters.',
      'username: Remove line breaks and control characters.',
    ]);
  });

  it.each(importModes)(
    'says what is wrong with letters that no database stores, in any column (%s)',
    async (mode) => {
      const columns = [...importColumns];
      const rows = columns.map((odd) =>
        columns.map((name) =>
          name === odd ? 'a\0b\ud800' : name === 'id' ? '1' : name === 'username' ? 'anna' : '',
        ),
      );
      const text = csvOf(
        columns.map((name) => `${name}\0\ud800`),
        ...rows,
      );
      const { id } = await importText(manager, text, { mode, columns });
      const { state, counts } = await untilJob(manager, id, 'ready', 'stopped');
      expect([state, counts.change, counts.skipped]).toEqual(['ready', 0, rows.length]);
    },
  );

  const stored = async () => (await desk.rows('import_parts')).map((part) => part.import_id).toSorted();
  const send = async (by = manager) => (await sendText(by, 'ID,Note\n1,New.')).id;

  it('leaves no file behind when nobody makes a job of it for a day, or it is stopped', async () => {
    const id = await send();
    desk.time.now += 23 * 60 * 60_000;
    await desk.runMaintenance();
    expect(await stored()).toEqual([id]);
    desk.time.now += 2 * 60 * 60_000;
    await desk.runMaintenance();
    expect(await stored()).toEqual([]);
    manager = await desk.signIn('manager');
    desk.upstream.lookup = () => new Response(null, { status: 503 });
    const { id: stopped } = await importText(manager, 'ID,Note\n1,New.', {
      mode: 'update',
      columns: ['id', 'note'],
    });
    await manager.bff.stopJob({ params: { id: stopped } });
    await desk.runMaintenance();
    expect(await stored()).toEqual([]);
  });

  it('is given up if its account begins five more before it is prepared; those of others are not', async () => {
    await desk.hire('manager', 'other');
    const others = await send(await desk.signIn('other'));
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      desk.time.now += 1;
      ids.push(await send());
    }
    await desk.runMaintenance();
    expect(await stored()).toEqual([...ids.slice(2), others].toSorted());
    const late = { params: { id: ids[0] ?? '' }, body: { at: 0, text: '', isLast: true } };
    await expect(manager.bff.addImportText(late)).rejects.toMatchObject({ code: 'no-such-job' });
    expect((await manager.bff.listJobs({ query: {} })).data.items).toEqual([]);
  });

  it.each([
    { mode: 'update', columns: ['note'] },
    { mode: 'create', columns: ['id'] },
    { mode: 'upsert', columns: ['username', 'username'] },
    { mode: 'upsert', columns: ['username', 'accessToken'] },
    { mode: 'replace', columns: ['username', null] },
    { mode: 'upsert', columns: ['username', null], zone: 'Nowhere' },
    { mode: 'upsert', columns: ['username'] },
  ])('is refused for %j', async (plan) => {
    const answer = await manager.ask('POST', `/bff/imports/${await send()}/job`, plan);
    expect(await outcomeOf(answer)).toBe('422 invalid-input');
  });

  it('takes no text and makes no job of a file of somebody else', async () => {
    const id = await send();
    await desk.hire('manager', 'other');
    const other = await desk.signIn('other');
    for (const [method, path, body] of [
      ['PUT', 'text', { at: 0, text: '', isLast: true }],
      ['POST', 'job', { mode: 'update', columns: ['id', 'note'] }],
    ] as const)
      expect(await outcomeOf(await other.ask(method, `/bff/imports/${id}/${path}`, body))).toBe(
        '404 no-such-job',
      );
  });
});

test('an import works before a service with another dialect: it keeps what the file does not say', async () => {
  const other = createOtherService({ count: 5, now: desk.deps.clock });
  const upstream = otherUpstream(other.fetch);
  const ann = desk.as('manager', 'Ann', { upstream });
  const before = { ...other.customers.get(2) };
  const { id } = await importText(ann, 'ID,Limit\n2,9\n99,9', {
    mode: 'update',
    columns: ['id', 'maxConnections'],
  });
  expect(await untilJob(ann, id, 'ready')).toMatchObject({ counts: { change: 1, skipped: 1 } });
  expect(await runToEnd(ann, id)).toMatchObject({ counts: { done: 1 } });
  expect(other.customers.get(2)).toEqual({ ...before, maxConnections: 9 });
});
