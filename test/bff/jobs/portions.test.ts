import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { jobLimits } from '../../../src/contract/bff/job.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { prepare, rowsOf, runToEnd, untilJob } from '../../support/bff/jobs.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { crowd } from '../../support/people.ts';
import { openTestDatabase } from '../../support/setup/database.ts';

/** So many rows are written at most before others have a turn. */
const most = 500;

/** What a test does when others have a turn, and the most rows that a statement read. */
let turn: () => Promise<unknown>;
let mostRead = 0;
let desk: TestDesk;
let manager: Awaited<ReturnType<TestDesk['signIn']>>;
beforeEach(async () => {
  turn = async () => undefined;
  const reads: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      mostRead = Math.max(mostRead, result.rows.length);
      return result;
    },
  };
  const db = (await openTestDatabase<BffTables>('bff', bffMigrations)).withPlugin(reads);
  const wait = async (ms: number) => void (ms === 0 && (await turn()));
  desk = await createTestDesk({ people: crowd(2), db, wait });
  manager = await desk.signIn('manager');
});

const update = { kind: 'update', change: { set: { maxConnections: 9 } } } as const;

/** The id of a job that has changed somebody, and now has many rows like that one. */
async function makeJob(change: { result?: 'failed' } = {}) {
  const { id } = await prepare(manager, { ...update, targets: { ids: [1] } });
  await runToEnd(manager, id);
  const [row] = await desk.rows('job_rows');
  if (!row) throw new Error('The job has no row.');
  await desk.db.deleteFrom('job_rows').execute();
  for (let first = 1; first <= 1_200; first += 400)
    await desk.db
      .insertInto('job_rows')
      .values(Array.from({ length: 400 }, (_, index) => ({ ...row, ...change, number: first + index })))
      .execute();
  return id;
}

/** Counts rows from now on. @returns how many became fewer at most from one turn of others to the next */
async function watchRows(result?: 'failed') {
  const count = async () => {
    const rows = desk.db.selectFrom('job_rows').select((row) => row.fn.countAll<number>().as('count'));
    const counted = result ? rows.where('result', '=', result) : rows;
    return (await counted.executeTakeFirstOrThrow()).count;
  };
  const counts = [await count()];
  turn = async () => void counts.push(await count());
  return () => Math.max(...counts.map((before, index) => before - (counts[index + 1] ?? 0)));
}

describe('a job of many rows', () => {
  it('is deleted in portions, between which others have a turn', async () => {
    await makeJob();
    desk.time.now += jobLimits.life + 1;
    const largest = await watchRows();
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
      for (const action of ['start', 'retry', 'undo']) {
        const sent = action === 'start' ? {} : undefined;
        outcomes.push(await outcomeOf(manager.ask('POST', `/bff/jobs/${id}/${action}`, sent)));
      }
    };
    await desk.runMaintenance();
    expect(outcomes.slice(0, 3)).toEqual(['409 wrong-job-state', '409 wrong-job-state', '409 cannot-undo']);
  });

  it('is prepared anew in portions, between which others have a turn', async () => {
    const id = await makeJob();
    const largest = await watchRows();
    await desk.db.updateTable('jobs').set({ state: 'preparing', lease_until: 0 }).execute();
    await desk.runMaintenance();
    await untilJob(manager, id, 'ready');
    expect(await rowsOf(manager, id)).toHaveLength(1);
    expect(largest()).toBeLessThanOrEqual(most);
  });

  it('is undone without reading its entries all at once', async () => {
    const id = await makeJob();
    const entries = desk.db.selectFrom('journal').selectAll().where('job_id', '=', id);
    const entry = await entries.where('kind', '=', 'change').executeTakeFirstOrThrow();
    for (let index = 1; index <= 250; index += 1)
      await desk.db
        .insertInto('journal')
        .values({ ...entry, id: `copy-${index}`, seq: -index, closed_seq: -index, key_hash: null })
        .execute();
    mostRead = 0;
    const { data: undo } = await manager.bff.undoJob({ params: { id } });
    expect(await untilJob(manager, undo.id, 'ready', 'stopped')).toMatchObject({
      state: 'ready',
      total: 251,
    });
    expect(mostRead).toBeLessThanOrEqual(100);
  });
});
