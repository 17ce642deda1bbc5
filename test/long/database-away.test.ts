import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../src/server/sql/postgres.ts';
import { managerPassword } from '../support/server/deployment.ts';
import { loadDesks } from '../support/server/desk-load.ts';
import { addressOf, startServer } from '../support/server/server-process.ts';
import { startRelay } from '../support/server/tcp-relay.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';
import { databaseUrl } from '../support/setup/database-url.ts';
import { startEmbeddedPostgres } from '../support/setup/embedded-postgres.ts';

vi.setConfig({ testTimeout: 10 * 60_000 });

/** Time without PostgreSQL, in ms. */
const away = 20_000;

test('PostgreSQL that is away for 20 s, and then silent for 20 s, under 16 writers loses no change and makes none twice', async () => {
  const postgres = await startEmbeddedPostgres();
  onTestFinished(postgres.stop);
  const admin = openPostgres(postgres.url, { connections: 1 });
  onTestFinished(() => admin.destroy());
  await sql`create database desk`.execute(admin);
  const database = databaseUrl(postgres.url, 'desk');
  const relay = await startRelay(Number(new URL(database).port));
  const behind = Object.assign(new URL(database), { port: String(relay.port) }).href;
  const server = startServer(join(temporaryFolder(), 'none'), {
    DATABASE_URL: behind,
    SERVICE_DATABASE_URL: behind,
    MANAGER_PASSWORD: managerPassword,
    SAMPLE_SUBSCRIBERS: '0',
    READS_PER_SECOND: '0',
    LOG_LEVEL: 'error',
  });
  const publicUrl = await addressOf(server);
  const untilReadiness = async (status: number) => {
    await expect
      .poll(async () => (await fetch(`${publicUrl}/readyz`)).status, { timeout: away })
      .toBe(status);
  };
  const load = await loadDesks({ publicUrl, database }, [Number(new URL(publicUrl).port)], 16);
  const open = (isOpen: boolean) =>
    sql`alter database desk allow_connections ${sql.raw(String(isOpen))}`.execute(admin);
  const leave = async () => {
    await open(false);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'desk'`.execute(admin);
  };
  for (const [name, begin, end] of [
    ['away', leave, () => open(true)],
    ['silent', () => relay.cut(), () => relay.mend()],
  ] as const)
    await load.outage(`PostgreSQL ${name}`, async () => {
      await begin();
      const over = delay(away);
      await untilReadiness(503);
      await over;
      await end();
      await untilReadiness(200);
    });
  const { faults, refusals, acknowledged } = await load.end();
  expect(faults).toEqual([]);
  expect(acknowledged).toBeGreaterThan(16);
  // Only what says that it may come again, and never that something broke.
  const others = Object.keys(refusals).filter((each) => !/ 503 [a-z-]+$/.test(each));
  expect(others).toEqual([]);
  expect(server.output()).not.toContain('internal-error');
});
