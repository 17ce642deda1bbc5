import { beforeEach, describe, expect, it, test } from 'vitest';
import type * as z from 'zod/mini';
import { importColumns, importModes, type ImportRow, type NewImport } from '../../../src/contract/bff/job.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { createOtherService, otherUpstream } from '../../support/bff/other-service.ts';
import { anna, person } from '../../support/people.ts';

let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  desk = await createTestDesk({ people: [anna, person('bo'), person('cy')] });
  manager = await desk.signIn('manager');
});

type File = Omit<z.input<typeof NewImport>, 'rows' | 'headings'>;

/** Begins an import, sends its rows, and waits until it is prepared. */
async function importRows(file: File, rows: readonly ImportRow[]) {
  const headings = file.columns.map((name) => String(name));
  const { data } = await manager.bff.createImport({ body: { ...file, headings, rows: rows.length } });
  await send(data.id, 1, rows);
  return untilJob(manager, data.id, 'ready', 'stopped');
}

const send = (id: string, first: number, rows: readonly ImportRow[]) =>
  manager.bff.addImportRows({ params: { id }, body: { first, rows: [...rows] } });
const all = async () => (await desk.service.listSubscribers({ query: {} })).data.items;

describe('an import', () => {
  it('updates by id: an empty cell keeps, a lone dash empties, and what is so already stays', async () => {
    const file = { mode: 'update', columns: ['id', 'note', 'countries', 'maxConnections', null] } as const;
    const ready = await importRows({ ...file, columns: [...file.columns] }, [
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
      { number: 3, after: { note: '=1+1', maxConnections: 7 }, source: ['3', "'=1+1", '-', '7', ''] },
    ]);
    expect(await runToEnd(manager, ready.id)).toMatchObject({ state: 'done', counts: { done: 2 } });
    expect(await all()).toMatchObject([
      { note: '', maxConnections: 3 },
      { maxConnections: 1 },
      { note: '=1+1', maxConnections: 7 },
    ]);
  });

  it('updates or creates by username, whatever the case, and its undo deletes whom it created', async () => {
    const file: File = { mode: 'upsert', columns: ['username', 'email', 'expiresAt', 'isTrial'] };
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

  it('lists a row that could not be read with what is wrong, and counts the lines of JSON lines from 1', async () => {
    const problem = 'Line 2 isn’t JSON.';
    const ready = await importRows({ mode: 'update', columns: ['id', 'note'], format: 'jsonl' }, [
      ['1', 'New.'],
      { problem },
      ['1', 'Again.'],
    ]);
    expect(ready).toMatchObject({ file: { format: 'jsonl' }, counts: { change: 1, skipped: 2 } });
    expect(await rowsOf(manager, ready.id, 'skipped')).toMatchObject([
      { number: 2, why: 'invalid-input', detail: problem, source: [] },
      { number: 3, detail: 'This subscriber is in row 1, too. Remove one of them.' },
    ]);
  });

  it('is CSV if it was begun before there were other formats', async () => {
    const ready = await importRows({ mode: 'update', columns: ['id', 'note'] }, [['1', 'New.']]);
    const file = JSON.stringify({ mode: 'update', columns: ['id', 'note'], headings: ['a', 'b'], rows: 1 });
    await desk.db.updateTable('jobs').set({ file }).where('id', '=', ready.id).execute();
    const { data } = await manager.bff.getJob({ params: { id: ready.id } });
    expect(data.file).toEqual({ mode: 'update', format: 'csv', headings: ['a', 'b'] });
  });

  it('has a mode that only creates', async () => {
    const ready = await importRows({ mode: 'create', columns: ['username', 'email', 'expiresAt'] }, [
      ['bo', 'bo@example.com', '2027-01-01'],
      ['hal', 'hal@example.com', '2027-01-01'],
    ]);
    expect(ready.counts).toMatchObject({ change: 1, skipped: 1 });
  });

  it('takes its rows in any order, twice, and in parts; it is prepared when all are here', async () => {
    const body = { mode: 'update', columns: ['id', 'note'], headings: ['ID', 'Note'], rows: 3 } as const;
    const { data } = await manager.bff.createImport({
      body: { ...body, columns: [...body.columns], headings: [...body.headings] },
    });
    const { id } = data;
    expect(data).toMatchObject({ state: 'preparing', pause: 'upload', total: 3 });
    await send(id, 3, [['3', 'Third.']]);
    await send(id, 1, [['1', 'Wrong.']]);
    await send(id, 1, [
      ['1', 'First.'],
      ['2', 'Second.'],
    ]);
    const ready = await untilJob(manager, id, 'ready');
    expect(ready.counts).toMatchObject({ change: 3 });
    const { file_size: size } = await desk.db
      .selectFrom('jobs')
      .select('file_size')
      .executeTakeFirstOrThrow();
    expect(size).toBe('["1","First."]["2","Second."]["3","Third."]'.length);
    await expect(send(id, 1, [['1', 'Late.']])).rejects.toMatchObject({ code: 'wrong-job-state' });
    await runToEnd(manager, id);
    expect(await all()).toMatchObject([{ note: 'First.' }, { note: 'Second.' }, { note: 'Third.' }]);
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

  it('lists such a username by id too, and an ID that does not exist', async () => {
    const rows = ['1', '99', '', '1'].map((id) => [id, 'a\0b\ud800']);
    const ready = await importRows({ mode: 'update', columns: ['id', 'username'] }, rows);
    expect(ready).toMatchObject({ state: 'ready', counts: { change: 0, skipped: 4 } });
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
      const body = { mode, columns, headings: columns.map((name) => `${name}\0\ud800`), rows: rows.length };
      const { data } = await manager.bff.createImport({ body });
      await send(data.id, 1, rows);
      const { state, counts } = await untilJob(manager, data.id, 'ready', 'stopped');
      expect([state, counts.change, counts.skipped]).toEqual(['ready', 0, rows.length]);
    },
  );

  const unsent: z.input<typeof NewImport> = {
    mode: 'update',
    columns: ['id', 'note'],
    headings: ['ID', 'Note'],
    rows: 2,
  };
  const begin = async () => (await manager.bff.createImport({ body: unsent })).data.id;
  const stored = async () => {
    const rows = await desk.db.selectFrom('import_rows').select('job_id').orderBy('job_id').execute();
    return rows.map(({ job_id: id }) => id);
  };

  it('leaves no rows behind when it is stopped before it is prepared', async () => {
    const id = await begin();
    await send(id, 1, [['1', 'Half.']]);
    expect(await stored()).toEqual([id]);
    await manager.bff.stopJob({ params: { id } });
    expect(await stored()).toEqual([]);
  });

  it('is given up if its account begins five more before it is sent; those of others are not', async () => {
    await desk.hire('manager', 'other');
    const other = await desk.signIn('other');
    const { data } = await other.bff.createImport({ body: unsent });
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      desk.time.now += 1;
      const id = await begin();
      await send(id, 1, [['1', 'Half.']]);
      ids.push(id);
    }
    expect(await stored()).toEqual(ids.slice(2).toSorted());
    await expect(send(ids[0] ?? '', 2, [['2', 'Late.']])).rejects.toMatchObject({ code: 'no-such-job' });
    const { items } = (await manager.bff.listJobs({ query: {} })).data;
    expect(items.map(({ id }) => id)).toEqual([...ids.slice(2).toReversed(), data.id]);
  });

  it.each([
    { mode: 'update', columns: ['note'] },
    { mode: 'create', columns: ['id'] },
    { mode: 'upsert', columns: ['username', 'username'] },
    { mode: 'upsert', columns: ['username', 'accessToken'] },
    { mode: 'replace', columns: ['username'] },
    { mode: 'upsert', columns: ['username'], zone: 'Nowhere' },
    { mode: 'upsert', columns: ['username'], format: 'json' },
  ])('is refused for %j', async (file) => {
    const answer = await manager.ask('POST', '/bff/imports', { headings: [], rows: 1, ...file });
    expect(await outcomeOf(answer)).toBe('422 invalid-input');
  });

  it('takes no rows beyond those announced, and none of somebody else', async () => {
    const body = { mode: 'update', columns: ['id'], headings: ['ID'], rows: 1 };
    const answer = await manager.ask('POST', '/bff/imports', body);
    const { id }: { id: string } = await answer.json();
    expect(answer.status).toBe(202);
    const rows = [['1'], ['2']];
    await expect(send(id, 1, rows)).rejects.toMatchObject({ code: 'invalid-input' });
    await desk.hire('manager', 'other');
    const other = await desk.signIn('other');
    const refused = await other.ask('PUT', `/bff/imports/${id}/rows`, { first: 1, rows: [['1']] });
    expect(await codeIn(refused)).toBe('wrong-job-state');
    desk.time.now += 2 * 24 * 60 * 60_000;
    await desk.runMaintenance();
    expect(await desk.db.selectFrom('import_rows').select('number').execute()).toEqual([]);
    expect(await desk.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  });
});

test('an import works before a service with another dialect: it keeps what the file does not say', async () => {
  const other = createOtherService({ count: 5, now: desk.deps.clock });
  const upstream = otherUpstream(other.fetch);
  const ann = desk.as('manager', 'Ann', { upstream });
  const before = { ...other.customers.get(2) };
  const file = {
    mode: 'update',
    columns: ['id', 'maxConnections'],
    headings: ['ID', 'Limit'],
    rows: 2,
  } as const;
  const { data } = await ann.bff.createImport({
    body: { ...file, columns: [...file.columns], headings: [...file.headings] },
  });
  await ann.bff.addImportRows({
    params: { id: data.id },
    body: {
      first: 1,
      rows: [
        ['2', '9'],
        ['99', '9'],
      ],
    },
  });
  expect(await untilJob(ann, data.id, 'ready')).toMatchObject({ counts: { change: 1, skipped: 1 } });
  expect(await runToEnd(ann, data.id)).toMatchObject({ counts: { done: 1 } });
  expect(other.customers.get(2)).toEqual({ ...before, maxConnections: 9 });
});
