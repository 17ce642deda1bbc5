import { expect, test } from 'vitest';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import { openTwice } from '../../support/setup/database.ts';

test('two services on one database do a change once', async () => {
  const [firstDb, secondDb] = await openTwice<ServiceTables>('service', serviceMigrations);
  const [one, other] = [
    await startService({ db: firstDb, seed: 1 }),
    await startService({ db: secondDb, seed: 2 }),
  ];
  for (let round = 0; round < 20; round += 1) {
    const body = { ...anna, username: `Anna ${round}` };
    const keyed = { [changeHeaders.key]: `a-key-of-the-round-${round}` };
    const answers = await Promise.all(
      [one, other].map(({ send }) => send('POST', '/subscribers', { body, headers: keyed })),
    );
    const [first, second] = await Promise.all(answers.map((each) => each.text()));
    expect(second).toBe(first);
  }
  expect((await one.client.listSubscribers({ query: {} })).data.totalCount).toBe(20);
});
