import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { findOrCreateSecret } from '../../../src/bff/auth/secrets.ts';
import { addEntries } from '../../support/bff/entries.ts';
import { journalKey } from '../../support/desk.ts';
import { runDesk } from '../../support/server/in-process.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { openBffFile } from '../../support/server/sqlite-file.ts';

let { db, folder } = {} as Awaited<ReturnType<typeof openBffFile>>;
const mac = createMac(journalKey);
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;

beforeEach(async () => void ({ db, folder } = await openBffFile()));

async function fillJournal(): Promise<void> {
  await findOrCreateSecret(db, 'journal-key', () => journalKey);
  const open = { operation: 'updateSubscriber', outcome: null } as const;
  await addEntries(db, mac, [done, done, open], Date.parse('2026-01-01T00:00:00Z'));
}

const run = (options: readonly string[], env: Record<string, string> = {}) =>
  runDesk({ ...env, DATA_DIR: folder }, 'forget-subscriber', ...options);

describe('forget-subscriber', () => {
  it('erases the personal data of one subscriber, while others write, and says how much', async () => {
    await fillJournal();
    // A process, because two in one thread would wait for each other.
    const { ended } = startProcess(['src/server/main.ts', 'forget-subscriber', '2'], { DATA_DIR: folder });
    await addEntries(db, mac, [done], Date.now(), 'meanwhile');
    expect(await ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Erased the personal data of subscriber 2\. Entries: 1\. Drafts: 0\. Views: 0\. Lists of last opened subscribers: 0\. Rows of jobs: 0\. Texts of jobs: 0\. Files to import: 0\.\nThe record itself is in/,
      ),
      stderr: '',
    });
    const names = await db.selectFrom('journal').select('username').orderBy('seq').execute();
    expect(names.map(({ username }) => username)).toEqual(['user-0', '', 'user-2', 'user-0']);
    expect(await verifyJournal(db, mac)).toMatchObject({ entries: 4 });
  });

  it('does not blame the file where somebody else holds it', async () => {
    const other = new DatabaseSync(join(folder, 'desk.sqlite'));
    other.exec('begin immediate');
    const { code, stderr } = await run(['2']);
    other.close();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Cannot use .* now\. The database is busy [^.]*\. Try again in a moment\.\n$/),
    ]);
  });

  it('fails where a change is still open, and says what to do', async () => {
    await fillJournal();
    expect(await run(['3'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^Nothing was erased, because a change or a job with this subscriber has not ended yet\..* run the command again/,
      ),
    });
  });

  it('says where it knows no name, and takes names', async () => {
    await fillJournal();
    const view = { owner: 'someone', id: 'x', place: 1, name: 'Mine', hidden: null, exported: null };
    const query = JSON.stringify({ Email: 'gone@example.com' });
    await db
      .insertInto('views')
      .values({ ...view, query })
      .execute();
    expect(await run(['7'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Nothing is stored .* ID 7\. .* only its ID was looked for\. .* forget-subscriber 7 NAME EMAIL\.\n$/,
      ),
    });
    expect(await run(['7', 'nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Check the ID\.\n$/),
    });
    const named = await run(['7', 'gone', 'gone@example.com']);
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('Views: 1.') });
    expect(named.stdout).not.toContain('only its ID');
    expect(await run(['2'])).toMatchObject({ code: 0, stdout: expect.not.stringContaining('only its ID') });
  });

  it('says that the files still have what was erased before, where somebody holds them', async () => {
    await fillJournal();
    const reader = new DatabaseSync(join(folder, 'desk.sqlite'));
    reader.exec('begin; select * from journal');
    const { code, stderr } = await run(['99']);
    reader.close();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Nothing is stored .* still in the files .* Run the command again in a minute\.\n$/,
      ),
    ]);
  });

  it('takes every ID that a service can have', async () => {
    await fillJournal();
    const id = Number.MAX_SAFE_INTEGER;
    await db
      .insertInto('recent_subscribers')
      .values({ owner: 'a', subscriber_id: id, opened_at: 1 })
      .execute();
    expect(await run([String(id)])).toMatchObject({ code: 0 });
    expect(await db.selectFrom('recent_subscribers').selectAll().execute()).toEqual([]);
  });

  it('erases nothing with anything but the ID of one subscriber that something is stored about', async () => {
    await fillJournal();
    const noId = /^Give the ID of one subscriber/;
    const rows: [words: string[], sentence: RegExp][] = [
      [['99'], /^Nothing is stored about a subscriber with the ID 99\./],
      [[], noId],
      [['1', '2'], noId],
      [['user-0'], noId],
      [['0'], noId],
      [['9007199254740993'], noId],
    ];
    for (const [words, sentence] of rows)
      expect(await run(words)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await verifyJournal(db, mac)).toMatchObject({ entries: 3 });
    const erased = db.selectFrom('journal').select('id').where('username', '=', '');
    expect(await erased.execute()).toEqual([]);
  });

  it('erases nothing with another key than that of the journal, or where there is no journal yet', async () => {
    expect(await run(['1'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no journal yet') });
    await fillJournal();
    expect(await run(['1'], { JOURNAL_KEY: 'C'.repeat(42) + 'A' })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The journal is not under the key in JOURNAL_KEY.'),
    });
  });
});
