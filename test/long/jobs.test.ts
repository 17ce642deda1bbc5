import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { buildDashboard } from '../../src/server/build/build.ts';
import { openPostgres } from '../../src/server/sql/postgres.ts';
import { databaseUrl } from '../support/setup/database-url.ts';
import { startEmbeddedPostgres } from '../support/setup/embedded-postgres.ts';
import { killServersDuringJob } from '../support/server/killed-jobs.ts';
import { root } from '../support/server/start-process.ts';

const [kills, subscribers] = [50, 12_000];

test(
  `a job whose two servers are killed ${kills} times changes each of ${subscribers} subscribers once`,
  async () => {
    await buildDashboard({ root, mode: 'app', say: () => {} });
    const postgres = await startEmbeddedPostgres();
    onTestFinished(postgres.stop);
    const admin = openPostgres(postgres.url);
    for (const name of ['bff', 'service']) await sql`create database ${sql.id(name)}`.execute(admin);
    await admin.destroy();
    const databases = {
      bff: databaseUrl(postgres.url, 'bff'),
      service: databaseUrl(postgres.url, 'service'),
    };
    await expect(killServersDuringJob(databases, { kills, subscribers })).resolves.toBeUndefined();
  },
  30 * 60_000,
);
