import { UpdateQueryNode, type KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { noCounts } from '../../../src/bff/jobs/store.ts';
import { jobLimits } from '../../../src/contract/bff/job.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { sendText } from '../../support/bff/import-file.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { crowd } from '../../support/people.ts';
import { openTestDatabase } from '../../support/setup/database.ts';

/** So many rows are written at most before others have a turn. */
const most = 500;

/** The action of a test when others have a turn, the most rows that a statement read, and the updates of rows. */
let turn: () => Promise<unknown>;
let mostRead = 0;
let updates = 0;
let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  turn = async () => undefined;
  const statements: KyselyPlugin = {
    transformQuery({ node }) {
      if (UpdateQueryNode.is(node) && JSON.stringify(node.table).includes('job_rows')) updates += 1;
      return node;
    },
    async transformResult({ result }) {
      mostRead = Math.max(mostRead, result.rows.length);
      return result;
    },
  };
  const db = (await openTestDatabase<BffTables>('bff', bffMigrations)).withPlugin(statements);
  const wait = async (ms: number) => void (ms === 0 && (await turn()));
  desk = await createTestDesk({ people: crowd(2), db, wait });
  manager = await desk.signIn('manager');
});

const update = { kind: 'update', change: { set: { maxConnections: 9 } } } as const;

/** The id of a job that has changed somebody, and now has many rows like that one. */
async function makeJob({ many = 1_200, ...change }: { many?: number; result?: 'failed' } = {}) {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1] } });
  await runToEnd(manager, id);
  const [row] = await desk.rows('job_rows');
  if (!row) throw new Error('The job has no row.');
  await desk.db.deleteFrom('job_rows').execute();
  for (let first = 1; first <= many; first += 400)
    await desk.db
      .insertInto('job_rows')
      .values(Array.from({ length: 400 }, (_, index) => ({ ...row, ...change, number: first + index })))
      .execute();
  const counts = JSON.stringify({ ...noCounts, [change.result ?? 'done']: many });
  await desk.db.updateTable('jobs').set({ counts }).execute();
  return id;
}

/** Counts rows from now on. @returns how many became fewer at most from one turn of others to the next */
async function watchRows(table: 'job_rows' | 'import_parts', result?: 'failed') {
  const count = async () => {
    const rows = await desk.rows(table);
    return rows.filter((row) => !result || ('result' in row && row.result === result)).length;
  };
  const counts = [await count()];
  const before = turn;
  turn = async () => {
    await before();
    counts.push(await count());
  };
  return () => Math.max(...counts.map((one, index) => one - (counts[index + 1] ?? 0)));
}

describe('a job of many rows', () => {
  it('writes in one statement that its rows were changed', async () => {
    const { id } = await prepare(manager, { ...update, targets: { ids: [1, 2] } });
    updates = 0;
    await runToEnd(manager, id);
    const results = (await rowsOf(manager, id)).map(({ result }) => result);
    expect([results, updates]).toEqual([['done', 'done'], 1]);
  });

  it('is deleted in portions, between which others have a turn', async () => {
    await makeJob();
    desk.time.now += jobLimits.life + 1;
    const largest = await watchRows('job_rows');
    await desk.runMaintenance();
    expect([await desk.rows('jobs'), await desk.rows('job_rows')]).toEqual([[], []]);
    expect(largest()).toBeLessThanOrEqual(most);
  });

  it('can’t be started, tried again or undone while it is being deleted', async () => {
    const id = await makeJob({ result: 'failed' });
    desk.time.now += jobLimits.life + 1;
    manager = await desk.signIn('manager');
    const outcomes: string[] = [];
    turn = async () => {
      // Others have turns before, too.
      if ((await desk.rows('job_rows')).length === 1_200) return;
      for (const action of ['start', 'retry', 'undo']) {
        const sent = action === 'start' ? {} : undefined;
        outcomes.push(await outcomeOf(manager.ask('POST', `/bff/jobs/${id}/${action}`, sent)));
      }
    };
    await desk.runMaintenance();
    expect(outcomes.slice(0, 3)).toEqual(['409 wrong-job-state', '409 wrong-job-state', '409 cannot-undo']);
  });

  it('is tried again in portions, after each of which it can be continued', async () => {
    const id = await makeJob({ result: 'failed' });
    const seen: unknown[] = [];
    turn = async () => {
      const { state, counts } = (await manager.bff.getJob({ params: { id } })).data;
      seen.push([state, counts.change]);
    };
    const largest = await watchRows('job_rows', 'failed');
    const { data } = await manager.bff.retryJob({ params: { id } });
    expect(data).toMatchObject({ state: 'running', counts: { change: 1_200, failed: 0 } });
    expect(seen.slice(0, 2)).toEqual([
      ['stopped', 500],
      ['stopped', 1_000],
    ]);
    expect(largest()).toBeLessThanOrEqual(most);
    expect((await desk.rows('job_rows')).filter(({ tries }) => tries !== 1)).toEqual([]);
    await manager.bff.stopJob({ params: { id } });
  });

  it('is read in portions by a job that is made of its rows', async () => {
    const job = await makeJob({ many: jobLimits.ids + 400, result: 'failed' });
    mostRead = 0;
    const stop = desk.db.updateTable('jobs').set({ state: 'stopped' }).where('state', '=', 'preparing');
    turn = () => stop.execute();
    const { data } = await manager.bff.createJob({ body: { ...update, targets: { job, result: 'failed' } } });
    await untilJob(manager, data.id, 'stopped');
    expect(mostRead).toBe(jobLimits.ids);
  });

  it('is prepared anew in portions, between which others have a turn', async () => {
    const id = await makeJob();
    const largest = await watchRows('job_rows');
    await desk.db.updateTable('jobs').set({ state: 'preparing', lease_until: 0 }).execute();
    await desk.runMaintenance();
    await untilJob(manager, id, 'ready');
    expect(await rowsOf(manager, id)).toHaveLength(1);
    expect(largest()).toBeLessThanOrEqual(most);
  });

  it('is undone in portions, between which others have a turn, without reading its entries all at once', async () => {
    const id = await makeJob({ many: 251 });
    const entries = desk.db.selectFrom('journal').selectAll().where('job_id', '=', id);
    const entry = await entries.where('kind', '=', 'change').executeTakeFirstOrThrow();
    for (let index = 1; index <= 250; index += 1)
      await desk.db
        .insertInto('journal')
        .values({ ...entry, id: `copy-${index}`, seq: -index, closed_seq: -index, key_hash: null })
        .execute();
    mostRead = 0;
    let turns = 0;
    turn = async () => void (turns += 1);
    const { data: undo } = await manager.bff.undoJob({ params: { id } });
    expect(await untilJob(manager, undo.id, 'ready', 'stopped')).toMatchObject({
      state: 'ready',
      total: 251,
    });
    expect(mostRead).toBeLessThanOrEqual(100);
    expect(turns).toBeGreaterThanOrEqual(251 / 20);
    turns = 0;
    await runToEnd(manager, undo.id);
    expect(turns).toBeGreaterThanOrEqual(251 / 20);
  });
});

describe('a file of many parts', () => {
  const columns = ['id', 'expiresAt'] as const;

  it('is looked through for how its dates are written in portions, between which others have a turn', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => `${index + 1},31/12/2027\n`);
    const { id } = await sendText(manager, `ID,Expires\n${rows.join('')}`, { size: 200 });
    const parts = (await desk.rows('import_parts')).length;
    let turns = 0;
    turn = async () => void (turns += 1);
    await manager.bff.createImport({ params: { id }, body: { mode: 'update', columns: [...columns] } });
    await untilJob(manager, id, 'ready');
    expect(parts).toBeGreaterThan(5);
    expect(turns).toBeGreaterThanOrEqual(parts);
  });

  it('is prepared in portions, between which others have a turn, even if all of its rows are faulty', async () => {
    const { id } = await sendText(manager, `ID,Expires\n${'1,never\n'.repeat(1_000)}`);
    let turns = 0;
    turn = async () => void (turns += 1);
    await manager.bff.createImport({ params: { id }, body: { mode: 'update', columns: [...columns] } });
    await untilJob(manager, id, 'ready');
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('is deleted in portions once it is old, and nobody can make a job of it meanwhile', async () => {
    const { id } = await sendText(manager, 'ID,Expires\n1,2027-01-01\n');
    const [part] = await desk.rows('import_parts');
    if (!part) throw new Error('The file has no part.');
    const copies = Array.from({ length: 150 }, (_, index) => ({ ...part, first: index + 2 }));
    await desk.db.insertInto('import_parts').values(copies).execute();
    desk.time.now += 25 * 60 * 60_000;
    manager = await desk.signIn('manager');
    const outcomes = new Set<string>();
    const body = { mode: 'update', columns };
    turn = async () =>
      void outcomes.add(await outcomeOf(manager.ask('POST', `/bff/imports/${id}/job`, body)));
    const largest = await watchRows('import_parts');
    await desk.runMaintenance();
    expect([await desk.rows('imports'), [...outcomes]]).toEqual([[], ['404 no-such-job']]);
    expect(largest()).toBeLessThanOrEqual(64);
  });
});

test('an export of rows as long as they can be misses none that waits throughout, while the job goes on', async () => {
  const id = await makeJob({ many: 400 });
  const note = JSON.stringify({ note: 'x'.repeat(2_000) });
  await desk.db.updateTable('job_rows').set({ result: 'change', before: note, after: note }).execute();
  let turns = 0;
  turn = async () => {
    turns += 1;
    // The first rows are read by now, and others follow.
    if (turns > 1)
      await desk.db.updateTable('job_rows').set({ result: 'done' }).where('number', '<=', 20).execute();
  };
  const file = await (await manager.ask('GET', `/bff/jobs/${id}/rows/export?result=change`)).text();
  const numbers = [...file.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
  const waiting = (await desk.rows('job_rows')).filter(({ result }) => result === 'change');
  expect(waiting.map(({ number }) => number).filter((number) => !numbers.includes(number))).toEqual([]);
});
