import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { ask } from '../../support/bff/browser.ts';
import { createTestDesk } from '../../support/desk.ts';
import { entered } from '../../support/people.ts';
import { openTestDatabase } from '../../support/setup/database.ts';

test('an update takes twelve statements of the BFF', async () => {
  let statements = 0;
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      return result;
    },
  };
  const db = (await openTestDatabase<BffTables>('bff', bffMigrations)).withPlugin(count);
  const desk = await createTestDesk({ db, people: [entered] });
  const headers = {
    Cookie: (await desk.signIn('support')).cookie(),
    [changeHeaders.key]: 'a-key-of-its-own',
  };
  statements = 0;
  const answer = await desk.fetch(ask('PUT', '/api/subscribers/1', { body: { note: 'new' }, headers }));
  expect([answer.status, statements]).toEqual([200, 12]);
});
