import { join } from 'node:path';
import { expect } from 'vitest';
import type { BffTables } from '../../../src/bff/schema.ts';
import { Job } from '../../../src/contract/bff/job.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { addressOf, signIn, writeTo } from './server-process.ts';
import { startProcess } from './start-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const password = 'chosen by the operator';

/**
 * Runs a job on two servers that share PostgreSQL databases, kills one or the other so many times in the middle, and
 * expects that each subscriber was changed exactly once and the report is true.
 *
 * @param databases the addresses of two empty databases
 */
export async function killServersDuringJob(
  databases: { bff: string; service: string },
  { kills, subscribers }: { kills: number; subscribers: number },
): Promise<void> {
  const folder = join(temporaryFolder(), 'none');
  const start = async () => {
    const server = startProcess(['--import', './test/support/server/short-lease.ts', 'src/server/start.ts'], {
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: databases.bff,
      SERVICE_DATABASE_URL: databases.service,
      SAMPLE_SUBSCRIBERS: String(subscribers),
      MANAGER_PASSWORD: password,
      LOG_LEVEL: 'error',
    });
    return { server, url: await addressOf(server) };
  };
  const servers = [await start(), await start()];
  const { cookie } = await signIn(servers[0]?.url ?? '', password);
  const tell = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const answer = await writeTo(servers[0]?.url ?? '', cookie)(method, path, body);
    return JSON.parse(answer.text);
  };
  const bff = openPostgres<BffTables>(databases.bff);
  const service = openPostgres<ServiceTables>(databases.service);
  const state = async () =>
    await bff.selectFrom('jobs').select(['state', 'counts']).executeTakeFirstOrThrow();
  const made = async () => (JSON.parse((await state()).counts) as Job['counts']).done;

  const change = { appendNote: 'Once.' };
  const { id } = Job.parse(
    await tell('POST', '/bff/jobs', { kind: 'update', targets: { all: true }, change }),
  );
  await expect.poll(async () => (await state()).state).toBe('ready');
  // Some notes are too long for another line.
  const { change: all, skipped } = JSON.parse((await state()).counts) as Job['counts'];
  expect(all + skipped).toBe(subscribers);
  await tell('POST', `/bff/jobs/${id}/start`, {});
  const dice = createDice(20_261_122);
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = Math.min(all, (await made()) + dice.whole(1, 30));
    await expect.poll(made, { interval: 5 }).toBeGreaterThanOrEqual(enough);
    // Later, the other server may end the job while this test starts the killed one.
    if (kill === 1) expect((await state()).state).toBe('running');
    // One of the two, or both at once.
    const victims = [[0], [1], [0, 1]][dice.whole(0, 2)] ?? [];
    for (const victim of victims) servers[victim]?.server.signal('SIGKILL');
    await Promise.all(
      victims.map(async (victim) => {
        await servers[victim]?.server.ended;
        servers[victim] = await start();
      }),
    );
  }
  await expect.poll(async () => (await state()).state, { timeout: 120_000 }).toBe('done');
  const notes = await service.selectFrom('subscribers').select('note').execute();
  const times = notes.map(({ note }) => note.split('Once.').length - 1);
  expect([times.filter((count) => count === 1).length, Math.max(...times)]).toEqual([all, 1]);
  const entries = await bff
    .selectFrom('journal')
    .select(['subscriber_id', 'outcome'])
    .where('job_id', '=', id)
    .execute();
  const done = entries.filter(({ outcome }) => outcome === 'done').map((entry) => entry.subscriber_id);
  expect([done.length, new Set(done).size]).toEqual([all, all]);
  const counts = { done: all, failed: 0, skipped, change: 0 };
  expect(JSON.parse((await state()).counts)).toMatchObject(counts);
  const rows = await bff.selectFrom('job_rows').select('result').execute();
  expect(rows.filter(({ result }) => result === 'done')).toHaveLength(all);
  await Promise.all([bff.destroy(), service.destroy()]);
  for (const { server } of servers) server.signal('SIGTERM');
  await Promise.all(servers.map(({ server }) => server.ended));
}
