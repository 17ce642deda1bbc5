import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { findSecret } from '../../src/bff/auth/secrets.ts';
import { coveredText, createMac } from '../../src/bff/journal/chain.ts';
import type { BffTables } from '../../src/bff/schema.ts';
import { openNodeSqlite } from '../../src/server/sql/node-sqlite.ts';
import { openServer, runDesk } from '../support/server/in-process.ts';
import { signIn } from '../support/server/server-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

const usual = { MANAGER_PASSWORD: 'chosen by the operator' };
const withKey = { ...usual, JOURNAL_KEY: 'C'.repeat(42) + 'A' };
const others = [usual, { ...usual, JOURNAL_KEY: 'D'.repeat(42) + 'A' }];

let DATA_DIR: string;
let logFile: string;
beforeEach(() => {
  DATA_DIR = join(temporaryFolder(), 'data');
  logFile = join(temporaryFolder(), 'desk.log');
});

/** Runs a server for as long as a sign-in takes, which adds an entry. @returns what it logged */
async function runServer(env: Record<string, string>): Promise<string> {
  const { url, stop, output } = await openServer({ ...env, DATA_DIR });
  expect((await signIn(url, usual.MANAGER_PASSWORD)).status).toBe(200);
  await stop();
  return output();
}

const run = (words: readonly string[], env: Record<string, string> = withKey) =>
  runDesk({ ...env, DATA_DIR }, ...words);
const verify = async (options: readonly string[] = [], env: Record<string, string> = withKey) => {
  const { code, stdout } = await run(['verify-journal', ...options], env);
  return { code, stdout };
};

describe('a server with JOURNAL_KEY', () => {
  it('logs the head at start and stop whatever LOG_LEVEL says, and the log is a witness', async () => {
    await runServer(usual);
    const log = await runServer({ ...withKey, LOG_LEVEL: 'error' });
    const heads = log.split('\n').filter((line) => line.includes('"event":"journal-head"'));
    expect(heads).toHaveLength(2);
    expect(heads.map((line) => JSON.parse(line).mac)).toEqual(
      Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)),
    );
    // A log has other lines, such as what is no JSON, and half a line where it was rotated.
    writeFileSync(logFile, `${log}{"event":"journal-head","seq":\n${heads[0]?.slice(0, 60)}\n[1]\nnull\n`);
    expect(await verify(['--log', logFile])).toEqual({
      code: 0,
      stdout: expect.stringContaining('Heads in the log: 2, of which 2 can still be compared. They match.'),
    });
    // Somebody with the whole database, and its key, chains it anew as if there had been no other key.
    const db = openNodeSqlite<BffTables>(join(DATA_DIR, 'desk.sqlite'));
    onTestFinished(() => db.destroy());
    const mac = createMac((await findSecret(db, 'journal-key')) ?? '');
    let last = { seq: 0, mac: '' };
    for (const entry of await db.selectFrom('journal').selectAll().orderBy('seq').execute()) {
      const seq = last.seq + 1;
      const forged = { ...entry, staff_name: 'Nobody', seq, closed_seq: seq };
      last = { seq, mac: await mac('link', coveredText(last.mac, 'event', seq, forged)) };
      const row = { ...forged, mac: last.mac };
      await db.updateTable('journal').set(row).where('id', '=', entry.id).execute();
    }
    await db
      .updateTable('journal_head')
      .set({ ...last, key_id: null, key_seq: 0, key_mac: '' })
      .execute();
    expect(await verify()).toEqual({
      code: 1,
      stdout: expect.stringContaining('took the key out of the database'),
    });
    // The next start takes it for a journal from before the key. The log does not.
    const later = await runServer(withKey);
    expect(later).toContain('"event":"journal-key-used"');
    expect((await verify()).code).toBe(0);
    const found = await verify(['--log', logFile]);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain(`logged at ${JSON.parse(heads[0] ?? '{}').time}`);
  });

  it('makes a server not ready that runs without the key, so that nobody is led to where nothing can be saved', async () => {
    const without = await openServer({ ...usual, DATA_DIR });
    const withOne = await openServer({ ...withKey, DATA_DIR });
    const readiness = await Promise.all([without, withOne].map(({ url }) => fetch(`${url}/readyz`)));
    expect(readiness.map(({ status }) => status)).toEqual([503, 200]);
    expect(without.output()).toMatch(/"event":"database-not-writable".*JournalKeyError/);
  });

  it('keeps others out of its journal: a server with another key or without one says what to do', async () => {
    await runServer(withKey);
    for (const env of others) {
      await expect(runServer(env)).rejects.toThrow(/^The journal is under .*\. Set .*\.$/);
      const stderr = expect.stringMatching(/^The journal is under .*\. Set .*\.\n$/);
      expect(await run(['reset-password', 'manager'], env)).toEqual({ code: 1, stdout: '', stderr });
      expect(await verify([], env)).toMatchObject({ code: 1 });
    }
    expect((await run(['reset-password', 'manager'])).code).toBe(0);
    expect(await verify()).toEqual({ code: 0, stdout: expect.stringContaining('The journal is intact.') });
  });
});

test.each([
  ['is missing', null, /Cannot read .*desk\.log\. Give a file with the log of a server\./],
  ['is empty', '', /There is no head of a journal in .*desk\.log\./],
  ['has no head', '{"event":"request","seq":1}\njournal-head 1-a\n', /There is no head of a journal/],
])('verify-journal says so if the log %s', async (_, text, sentence) => {
  if (text !== null) writeFileSync(logFile, text);
  const stderr = expect.stringMatching(sentence);
  expect(await run(['verify-journal', '--log', logFile])).toEqual({ code: 1, stdout: '', stderr });
});
