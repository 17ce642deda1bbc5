import { join } from 'node:path';
import { expect } from 'vitest';
import type { BffTables } from '../../../src/bff/schema.ts';
import { Job } from '../../../src/contract/bff/job.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { addressOf, signIn } from './server-process.ts';
import { startProcess } from './start-process.ts';
import { temporaryFolder, whenOver } from './temporary-folder.ts';

/**
 * A job that changes all subscribers, on servers that share PostgreSQL databases and may be killed at any moment.
 *
 * @param databases the addresses of two empty databases
 */
export function createKilledJob(databases: { bff: string; service: string }, subscribers: number) {
  const env = {
    DATA_DIR: join(temporaryFolder(), 'none'),
    DATABASE_URL: databases.bff,
    SERVICE_DATABASE_URL: databases.service,
    SAMPLE_SUBSCRIBERS: String(subscribers),
    MANAGER_PASSWORD: 'chosen by the operator',
    LOG_LEVEL: 'error',
  };
  const bff = openPostgres<BffTables>(databases.bff);
  const service = openPostgres<ServiceTables>(databases.service);
  whenOver(async () => void (await Promise.all([bff.destroy(), service.destroy()])));
  const read = async () => {
    const row = await bff.selectFrom('jobs').select(['id', 'state', 'counts']).executeTakeFirstOrThrow();
    return { ...row, counts: JSON.parse(row.counts) as Job['counts'] };
  };
  let [all, skipped] = [0, 0];
  return {
    env,
    read,
    /** A server as a process. */
    async start() {
      const preload = ['--import', './test/support/server/short-lease.ts'];
      const server = startProcess([...preload, 'src/server/main.ts', 'start'], { ...env, PORT: '0' });
      return { ...server, url: await addressOf(server) };
    },
    /** Has the server at this address run the job. @returns how many subscribers it changes */
    async begin(url: string): Promise<number> {
      const { ask } = await signIn(url, env.MANAGER_PASSWORD);
      const job = { kind: 'update', targets: { all: true }, change: { appendNote: 'Once.' } };
      const { id } = Job.parse(await (await ask('POST', '/bff/jobs', job)).json());
      await expect.poll(async () => (await read()).state).toBe('ready');
      // Some notes are too long for another line.
      const { counts } = await read();
      [all, skipped] = [counts.change, counts.skipped];
      expect(all + skipped).toBe(subscribers);
      expect((await ask('POST', `/bff/jobs/${id}/start`, {})).status).toBe(200);
      return all;
    },
    /** Waits until so many subscribers are changed. */
    async untilDone(enough: number) {
      const done = async () => (await read()).counts.done;
      await expect.poll(done, { interval: 5 }).toBeGreaterThanOrEqual(enough);
    },
    /** Waits for the end; then each subscriber was changed exactly once, and the report is true. */
    async expectTrueEnd() {
      await expect.poll(async () => (await read()).state, { timeout: 600_000 }).toBe('done');
      const notes = await service.selectFrom('subscribers').select('note').execute();
      const times = notes.map(({ note }) => note.split('Once.').length - 1);
      expect([times.filter((count) => count === 1).length, Math.max(...times)]).toEqual([all, 1]);
      const { id, counts } = await read();
      expect(counts).toMatchObject({ done: all, failed: 0, skipped, change: 0 });
      const entries = bff.selectFrom('journal').select('subscriber_id').where('job_id', '=', id);
      const done = await entries.where('outcome', '=', 'done').execute();
      expect([done.length, new Set(done.map((entry) => entry.subscriber_id)).size]).toEqual([all, all]);
      const rows = await bff.selectFrom('job_rows').select('result').execute();
      expect(rows.filter(({ result }) => result === 'done')).toHaveLength(all);
    },
  };
}
