import { expect, test, beforeAll } from 'vitest';
import { buildDashboard } from '../../../src/server/build/build.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { killServersDuringJob } from '../../support/server/killed-jobs.ts';
import { root } from '../../support/server/start-process.ts';

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

test('a job whose servers are killed changes each subscriber once, and its report is true', async () => {
  const databases = { bff: await createDatabase(), service: await createDatabase() };
  await expect(killServersDuringJob(databases, { kills: 3, subscribers: 800 })).resolves.toBeUndefined();
}, 180_000);
