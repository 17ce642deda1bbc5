import { describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service/harness.ts';
import { createWriter } from '../support/service/ledger.ts';

const update = (values: Record<string, string | number>) => (db: TestService['db']) =>
  db.updateTable('subscribers').set(values).execute();

describe('a writer that remembers what was acknowledged', () => {
  it.each<[string, string[], (db: TestService['db']) => Promise<unknown>]>([
    ['nothing if nothing happened', [], async () => {}],
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
  ])('finds %s', async (_, faults, happens) => {
    const { client, db } = await startService();
    const writer = createWriter('writer');
    for (let write = 0; write < 3; write++) expect(await writer.write(client)).toBe(true);
    await happens(db);
    expect(await writer.check(client)).toEqual(faults.map((fault) => `writer-1: ${fault}`));
    const still = faults.filter((fault) => fault === 'a change is half done');
    expect(await writer.check(client)).toEqual(still.map((fault) => `writer-1: ${fault}`));
  });
});
