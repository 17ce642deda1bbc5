import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { findOrCreateSecret } from '../../../src/bff/auth/secrets.ts';
import { journalKey } from '../../support/desk.ts';
import { addEntries } from '../../support/bff/entries.ts';
import { runDesk } from '../../support/server/in-process.ts';
import { openBffFile } from '../../support/server/sqlite-file.ts';
import { root } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let { db, folder } = {} as Awaited<ReturnType<typeof openBffFile>>;
const done = { operation: 'updateSubscriber', outcome: 'done' } as const;
const start = Date.parse('2026-01-01T00:00:00Z');

beforeEach(async () => void ({ db, folder } = await openBffFile()));

async function fillJournal(): Promise<void> {
  await findOrCreateSecret(db, 'journal-key', () => journalKey);
  await addEntries(db, createMac(journalKey), [done, done, done], start);
}

const run = (dataDir: string, ...options: string[]) =>
  runDesk({ DATA_DIR: dataDir }, 'verify-journal', ...options);

describe('verify-journal', () => {
  it('says that the journal is unchanged, and by its head later that the end is still there', async () => {
    await fillJournal();
    const first = await run(folder);
    expect([first.code, first.stderr]).toEqual([0, '']);
    const [, head = ''] =
      /^The journal is intact\. Entries: 3\nHead: (6-[\w-]{43})\n$/.exec(first.stdout) ?? [];
    await addEntries(db, createMac(journalKey), [done], start, 'later');
    const second = await run(folder, head);
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Entries: 4')]);
    await db.deleteFrom('journal').execute();
    await db.deleteFrom('journal_head').execute();
    expect((await run(folder)).code).toBe(0);
    const cut = await run(folder, head);
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining(`The head ${head} is missing`)]);
  });

  it('ends well where the reader of its output goes away, as `head -1` does', async () => {
    await fillJournal();
    const child = spawn(process.execPath, ['src/server/main.ts', 'verify-journal'], {
      cwd: root,
      env: { PATH: process.env['PATH'], DATA_DIR: folder },
    });
    child.stdout.destroy();
    let complaints = '';
    child.stderr.on('data', (part) => void (complaints += String(part)));
    expect([await once(child, 'close'), complaints]).toEqual([[0, null], '']);
  });

  it('names the first entry that somebody changed', async () => {
    await fillJournal();
    const changed = db.updateTable('journal').set({ staff_name: 'Somebody else' });
    await changed.where('id', '=', 'entry-1').execute();
    const { code, stdout } = await run(folder);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^The journal failed the check\. .*entry entry-1/),
    ]);
  });

  it('fails without a key, because no server ever ran, and with anything but one head', async () => {
    const noHead = /Give no option, or one head/;
    const rows: [words: string[], sentence: RegExp][] = [
      [[], /There is no journal yet/],
      [['what'], noHead],
      [['1-a', '2-b'], noHead],
    ];
    for (const [words, sentence] of rows)
      expect(await run(folder, ...words)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
  });

  it('looks only into a folder that has a database', async () => {
    const stderr = expect.stringContaining('There is no desk.sqlite in');
    expect(await run(temporaryFolder())).toEqual({ code: 1, stdout: '', stderr });
  });
});
