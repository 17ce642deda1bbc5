import { expect, test } from 'vitest';
import { openServer } from '../../support/server/in-process.ts';
import { createKilledJob } from '../../support/server/killed-jobs.ts';
import { createDatabase } from '../../support/setup/database.ts';

// Once; `npm run test:long` kills two servers often.
test('a job whose server is killed changes each subscriber once, and its report is true', async () => {
  const databases = { bff: await createDatabase(), service: await createDatabase() };
  const job = createKilledJob(databases, 400);
  const killed = await job.start();
  const all = await job.begin(killed.url);
  await job.untilDone(20);
  killed.signal('SIGKILL');
  await killed.ended;
  const { state, counts } = await job.read();
  expect([state, counts.done < all]).toEqual(['running', true]);
  await openServer(job.env);
  await job.expectTrueEnd();
});
