import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import { openPostgres } from '../../src/server/sql/postgres.ts';
import { databaseUrl } from '../support/setup/database-url.ts';
import { startEmbeddedPostgres } from '../support/setup/embedded-postgres.ts';
import { createKilledJob } from '../support/server/killed-jobs.ts';

const [kills, subscribers] = [50, 12_000];

test(
  `a job whose two servers are killed ${kills} times changes each of ${subscribers} subscribers once`,
  async () => {
    const postgres = await startEmbeddedPostgres();
    onTestFinished(postgres.stop);
    const admin = openPostgres(postgres.url);
    for (const name of ['bff', 'service']) await sql`create database ${sql.id(name)}`.execute(admin);
    await admin.destroy();
    const databases = {
      bff: databaseUrl(postgres.url, 'bff'),
      service: databaseUrl(postgres.url, 'service'),
    };
    const job = createKilledJob(databases, subscribers);
    const servers = [await job.start(), await job.start()];
    const all = await job.begin(servers[0]?.url ?? '');
    const seeded = createSeededRandom(20_261_122);
    for (let kill = 1; kill <= kills; kill += 1) {
      const { counts } = await job.read();
      await job.untilDone(Math.min(all, counts.done + seeded.whole(1, 30)));
      // Later, the other server may end the job while this test starts the killed one.
      expect(['running', kill === 1 ? 'running' : 'done']).toContain((await job.read()).state);
      // One of the two, or both at once.
      const victims = [[0], [1], [0, 1]][seeded.whole(0, 2)] ?? [];
      for (const victim of victims) servers[victim]?.signal('SIGKILL');
      await Promise.all(
        victims.map(async (victim) => {
          await servers[victim]?.ended;
          servers[victim] = await job.start();
        }),
      );
    }
    await job.expectTrueEnd();
    for (const server of servers) server.signal('SIGTERM');
    await Promise.all(servers.map((server) => server.ended));
  },
  30 * 60_000,
);
