import { expect, test } from 'vitest';
import { startService, type TestService } from '../support/service/harness.ts';
import { createWriter } from '../support/service/ledger.ts';

type Change = (db: TestService['db']) => Promise<unknown>;

const update =
  (values: Record<string, string | number>): Change =>
  (db) =>
    db.updateTable('subscribers').set(values).execute();

test.each<[string, string[], Change]>([
  ['nothing that happened to it', [], async () => {}],
  [
    'a lost subscriber',
    ['an acknowledged subscriber is lost'],
    (db) => db.deleteFrom('subscribers').execute(),
  ],
  ['a change that is half done', ['a change is half done'], update({ max_connections: 900 })],
  ['a lost change', ['a change is half done', 'an acknowledged change is lost'], update({ note: '1' })],
  [
    'a change that nobody sent',
    ['a change is half done', 'a change was made that nobody sent'],
    update({ note: '7' }),
  ],
  ['a lost token', ['an acknowledged access token is lost'], update({ access_token: 'x'.repeat(43) })],
])('a check by its writer finds %s', async (_, faults, happens) => {
  const { client, db } = await startService();
  const writer = createWriter('writer');
  for (let write = 0; write < 3; write++) expect(await writer.write(client)).toBe(true);
  await happens(db);
  expect(await writer.check(client)).toEqual(faults.map((fault) => `writer-1: ${fault}`));
  expect(await writer.check(client)).toEqual(
    faults.includes('a change is half done') ? ['writer-1: a change is half done'] : [],
  );
});
