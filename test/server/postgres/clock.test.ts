import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { openServiceStore } from '../../../src/server/service/store.ts';
import { openTraces } from '../../../src/server/traces.ts';
import { createDatabase } from '../../support/setup/database.ts';

test.each([
  ['is right', 0, false],
  ['is two minutes ahead', 120_000, true],
])('a server whose clock %s is known from its start on', async (_, ahead, isWrong) => {
  const config = readConfig({ SERVICE_DATABASE_URL: await createDatabase() }, () => '');
  const log = () => undefined;
  const traces = await openTraces(config, { service: 'subscriber-service', url: 'http://localhost', log });
  const parts = { config, clock: () => Date.now() + ahead, log, traces };
  const { isClockWrong, close } = await openServiceStore(parts, async () => undefined);
  onTestFinished(close);
  expect(isClockWrong()).toBe(isWrong);
});
