import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { findOrCreateSecret } from '../../../src/bff/auth/secrets.ts';
import { openDataFile } from '../../../src/server/data-folder.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { journalKey } from '../../support/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let folder: string;
let db: Awaited<ReturnType<typeof openDatabase<BffTables>>>;
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;
const start = Date.parse('2026-01-01T00:00:00Z');

// The database stays open, as that of a running server.
beforeEach(async () => {
  folder = join(temporaryFolder(), 'data');
  const file = await openDataFile(folder, 'desk');
  const fill = async () => {};
  db = await openDatabase<BffTables>({ file }, { name: 'desk', migrations: bffMigrations, fill });
  onTestFinished(() => db.destroy());
});

async function fillJournal(): Promise<void> {
  await findOrCreateSecret(db, 'journal-key', () => journalKey);
  await addEntries(db, createMac(journalKey), [done, done, done], start);
}

const run = (dataDir: string, ...options: string[]) =>
  startProcess(['src/server/admin.ts', 'verify-journal', ...options], { DATA_DIR: dataDir }).ended;

describe('the journal, verified from the terminal', () => {
  test('is unchanged, and its head shows later that the end is still there', async () => {
    await fillJournal();
    const first = await run(folder);
    expect([first.code, first.stderr]).toEqual([0, '']);
    const [, head = ''] =
      /^The journal is intact\. Entries: 3\nHead: (6-[\w-]{43})\n$/.exec(first.stdout) ?? [];
    await addEntries(db, createMac(journalKey), [done], start, 'later');
    const second = await run(folder, head);
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Entries: 4')]);
    await db.deleteFrom('journal_links').execute();
    await db.deleteFrom('journal').execute();
    await db.deleteFrom('journal_head').execute();
    expect((await run(folder)).code).toBe(0);
    const cut = await run(folder, head);
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining(`The head ${head} is missing`)]);
  });

  test('is at fault at the first entry that somebody changed', async () => {
    await fillJournal();
    await db
      .updateTable('journal')
      .set({ staff_name: 'Somebody else' })
      .where('id', '=', 'entry-1')
      .execute();
    const { code, stdout } = await run(folder);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^The journal failed the check\. .*entry entry-1/),
    ]);
  });

  test.each([
    ['without a key, because no server ever ran', [], /There is no journal yet/],
    ['with something that is no head', ['what'], /Give no option, or one head/],
    ['with two heads', ['1-a', '2-b'], /Give no option, or one head/],
  ])('cannot be verified %s', async (_, options, sentence) => {
    const { code, stdout, stderr } = await run(folder, ...options);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
  });

  test('is looked for only in a folder that has a database', async () => {
    const { code, stderr } = await run(temporaryFolder());
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no desk.sqlite in')]);
  });
});
