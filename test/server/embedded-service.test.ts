import { expect, it } from 'vitest';
import { embedService } from '../../src/server/embedded-service.ts';
import { openStore } from '../support/service/harness.ts';

it('lets others be answered between the calls of the embedded service, however many one asker makes', async () => {
  const db = await openStore();
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const { exchange, baseUrl } = embedService({ db, clock: Date.now, random, log: () => undefined }, 'secret');
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  const { signal } = new AbortController();
  const call = { method: 'GET', headers: {}, body: null, signal, maxBytes: 1000 } as const;
  for (let calls = 0; calls < 20; calls += 1)
    await exchange({ ...call, url: `${baseUrl}/healthz`, operation: 'listStatuses' });
  clearInterval(others);
  expect(turns).toBeGreaterThan(0);
});
