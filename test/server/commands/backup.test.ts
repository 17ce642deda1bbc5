import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { outcomeOf } from '../../support/bff/browser.ts';
import { createPerson } from '../../support/bff/person.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';
import { openServer, runDesk } from '../../support/server/in-process.ts';
import { startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const run = (DATA_DIR: string, command: string, options: string[], env = {}) =>
  runDesk({ DATA_DIR, ...env }, command, ...options);

/** A folder that a server has filled, and that is at rest; and a backup of it, made while the server ran. */
const folder = temporaryFolder();
const [original, whole] = [join(folder, 'data'), join(folder, 'backup')];
const password = 'chosen by the operator';
const opened = openServer({ DATA_DIR: original, SAMPLE_SUBSCRIBERS: '20', MANAGER_PASSWORD: password });

/** The statuses of the manager's session of then, and of a sign-in with the code of then. */
let tryOld: (url: string) => Promise<unknown[]>;
beforeAll(async () => {
  const server = await opened;
  const manager = createPerson(fetch, server.url);
  await manager.ask('POST', '/bff/session', { name: 'manager', password });
  const { data: job } = await manager.bff.createJob({ body: { kind: 'delete', targets: { ids: [1] } } });
  await vi.waitUntil(async () => (await manager.bff.getJob({ params: job })).data.state === 'ready');
  const at = new Date(Date.now() + 60 * 60_000).toISOString();
  await manager.bff.startJob({ params: job, body: { at } });
  const app = await setUpApp({ time: { now: Date.now() } }, manager);
  const headers = { Cookie: manager.cookie() };
  tryOld = async (url) => {
    const browser = createPerson(fetch, url);
    const body = { name: 'manager', password, code: app.code() };
    const session = await browser.ask('GET', '/bff/session', undefined, headers);
    return [session.status, await outcomeOf(browser.ask('POST', '/bff/session', body))];
  };
  // In a process of its own, as an operator runs it.
  const backup = startProcess(['src/server/main.ts', 'backup', whole], { DATA_DIR: original });
  expect(await backup.ended).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining(`Backed up desk.sqlite and service.sqlite to ${whole}.`),
  });
  expect(readdirSync(folder).toSorted()).toEqual(['backup', 'data']);
  expect(await tryOld(server.url)).toEqual([200, '200']);
  await server.stop();
});

function filledFolder(): string {
  const dataDir = join(temporaryFolder(), 'data');
  cpSync(original, dataDir, { recursive: true });
  return dataDir;
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  return database;
}
const countIn = (path: string, table: string) =>
  Number(openFile(path).prepare(`select count(*) as count from ${table}`).get()?.['count']);

/** Everything beside these names, as what a command that failed may have left. */
const others = (folder: string, ...names: string[]) =>
  readdirSync(folder).filter((name) => !names.includes(name));

describe('a backup', () => {
  it('is for this user alone; restored, it pauses a job that was to start, and lets nobody in by a session or a code of then', async () => {
    expect(statSync(whole).mode & 0o777).toBe(0o700);
    const isOpen = (name: string) => (statSync(join(whole, name)).mode & 0o777) !== 0o600;
    expect(readdirSync(whole).filter(isOpen)).toEqual([]);
    const folder = temporaryFolder();
    const again = join(folder, 'restored');
    const restored = await run(again, 'restore', [whole]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(restored.stdout).toMatch(/The journal is intact\. Entries: \d+\./);
    expect(statSync(again).mode & 0o777).toBe(0o700);
    expect(others(folder, 'restored')).toEqual([]);
    expect(countIn(join(again, 'service.sqlite'), 'subscribers')).toBe(20);
    // Somebody may have discarded it since.
    const jobs = openFile(join(again, 'desk.sqlite')).prepare('select state, pause, starts_at from jobs');
    expect(jobs.all()).toEqual([{ state: 'paused', pause: 'rights', starts_at: null }]);
    expect(await tryOld((await openServer({ DATA_DIR: again })).url)).toEqual([401, '401 wrong-code']);
  });

  it('has nothing of a session in its bytes, though the rows were copied first', async () => {
    const keys = openFile(join(original, 'desk.sqlite')).prepare('select key from sessions').all();
    const bytes = readFileSync(join(whole, 'desk.sqlite'), 'latin1');
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter(({ key }) => bytes.includes(String(key)))).toEqual([]);
  });

  it('has both files as they were at one moment, while somebody writes to both', async () => {
    const dataDir = filledFolder();
    const files = ['desk', 'service'].map((name) => join(dataDir, `${name}.sqlite`));
    for (const file of files)
      openFile(file).exec('create table ticks (tick integer); pragma busy_timeout = 5000');
    // Nobody else can write to the first from before the second is written until after it.
    const writer = startProcess([
      '--input-type=module',
      '--eval',
      `import { DatabaseSync } from 'node:sqlite';
       const all = ${JSON.stringify(files)}.map((file) => new DatabaseSync(file, { timeout: 5000 }));
       const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
       for (let tick = 0; ; tick += 1) {
         all[0].exec('begin immediate');
         all[0].prepare('insert into ticks values (?)').run(tick);
         all[1].prepare('insert into ticks values (?)').run(tick);
         pause(10);
         all[0].exec('commit');
         // SQLite looks for the lock now and then, and would never get it from somebody who takes it again at once.
         pause(5);
         if (tick === 5) console.log('writing');
       }`,
    ]);
    await writer.line(/writing/);
    for (let round = 0; round < 4; round += 1) {
      const [file, again] = [join(temporaryFolder(), 'backup'), join(temporaryFolder(), 'restored')];
      expect(await run(dataDir, 'backup', [file])).toMatchObject({ code: 0, stderr: '' });
      expect(await run(again, 'restore', [file])).toMatchObject({ code: 0, stderr: '' });
      const [desk = 0, service = 0] = ['desk', 'service'].map((name) =>
        countIn(join(again, `${name}.sqlite`), 'ticks'),
      );
      expect(service).toBeGreaterThan(5);
      expect(desk).toBe(service);
    }
  });

  it('replaces nothing', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'mine.txt');
    writeFileSync(file, 'mine');
    const { code, stderr } = await run(original, 'backup', [file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} exists. Give a new name`)]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(others(folder, 'mine.txt')).toEqual([]);
  });

  it('leaves tables in PostgreSQL to pg_dump, whose line it says without the password', async () => {
    const url = 'postgres://desk:secret@127.0.0.1:1/desk';
    const env = { DATABASE_URL: url, SERVICE_DATABASE_URL: url };
    const ended = await run(temporaryFolder(), 'backup', ['a'], env);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('pg_dump --format=custom --file=desk.dump "$DATABASE_URL"');
    expect(ended.stdout).toContain('pg_dump --format=custom --file=service.dump "$SERVICE_DATABASE_URL"');
    expect(ended.stdout + ended.stderr).not.toContain('secret');
  });

  it.each(['backup', 'restore'])('needs the name of a folder for %s', async (command) => {
    const { code, stderr } = await run(temporaryFolder(), command, []);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Give the name of one folder: .* FOLDER\.$/m)]);
  });

  it('is refused to a second run while the first one writes it, which then is whole', async () => {
    const target = join(temporaryFolder(), 'backup');
    const first = startProcess(['src/server/main.ts', 'backup', target], { DATA_DIR: original });
    const written = () => readdirSync(dirname(target), { recursive: true }).join();
    await vi.waitUntil(() => written().includes('desk.sqlite'), { timeout: 30_000, interval: 1 });
    first.signal('SIGSTOP');
    const { code, stderr } = await run(original, 'backup', [target]);
    first.signal('SIGCONT');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Another run is writing ${target}`)]);
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await run(join(temporaryFolder(), 'data'), 'restore', [target])).toMatchObject({ code: 0 });
    expect(others(dirname(target), 'backup')).toEqual([]);
  });

  it('removes what a killed one with another name has left, and nothing of one at work or of another program', async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, '.theirs-unfinished/work'), { recursive: true });
    writeFileSync(join(parent, '.theirs-unfinished/lock'), '');
    const begin = async (name: string) => {
      const begun = startProcess(['src/server/main.ts', 'backup', join(parent, name)], {
        DATA_DIR: original,
      });
      const copy = join(parent, `.${name}-unfinished/files/desk.sqlite`);
      await vi.waitUntil(() => existsSync(copy), { timeout: 30_000, interval: 1 });
      begun.signal('SIGSTOP');
      return begun;
    };
    const [killed, working] = [await begin('monday'), await begin('tuesday')];
    killed.signal('SIGKILL');
    await killed.ended;
    expect(readdirSync(parent)).toContain('.monday-unfinished');
    expect(await run(original, 'backup', [join(parent, 'wednesday')])).toMatchObject({ code: 0 });
    expect(others(parent, 'wednesday').toSorted()).toEqual(['.theirs-unfinished', '.tuesday-unfinished']);
    working.signal('SIGCONT');
    expect(await working.ended).toMatchObject({ code: 0, stderr: '' });
    expect(others(parent, 'tuesday', 'wednesday')).toEqual(['.theirs-unfinished']);
  });

  it('creates no database where there is none', async () => {
    const dataDir = temporaryFolder();
    const { code, stderr } = await run(dataDir, 'backup', [join(dataDir, 'a')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no SQLite file to back up')]);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('restoring', () => {
  it('goes on while a server is told to start in the folder, which is refused', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const restore = startProcess(['src/server/main.ts', 'restore', whole], { DATA_DIR: dataDir });
    const written = () => readdirSync(dirname(dataDir), { recursive: true }).join();
    await vi.waitUntil(() => written().includes('desk.sqlite'), { timeout: 30_000, interval: 1 });
    restore.signal('SIGSTOP');
    await expect(openServer({ DATA_DIR: dataDir })).rejects.toThrow(
      `A restore is filling ${dataDir} right now. Wait until it has ended.`,
    );
    restore.signal('SIGCONT');
    expect(await restore.ended).toMatchObject({ code: 0, stderr: '' });
    expect(others(dirname(dataDir), 'data')).toEqual([]);
  });

  it('gives the server’s user what root restores into a folder of this user', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('Only root gives files to others.');
    const nobody = 65_534;
    const parent = temporaryFolder();
    chownSync(parent, nobody, nobody);
    const [missing, empty] = [join(parent, 'missing'), join(temporaryFolder(), 'empty')];
    mkdirSync(empty);
    chownSync(empty, nobody, nobody);
    for (const folder of [missing, empty]) {
      expect(await run(folder, 'restore', [whole])).toMatchObject({ code: 0 });
      const paths = ['', ...readdirSync(folder)].map((name) => statSync(join(folder, name)));
      expect(paths.map(({ uid, gid }) => [uid, gid])).toEqual(paths.map(() => [nobody, nobody]));
    }
  });

  it('changes nothing in a folder that has files', async () => {
    const target = filledFolder();
    const before = readFileSync(join(target, 'desk.sqlite'));
    const { code, stderr } = await run(target, 'restore', [whole]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty. Stop the server')]);
    expect(readFileSync(join(target, 'desk.sqlite')).equals(before)).toBe(true);
  });

  it('takes no file for the data folder', async () => {
    const target = join(temporaryFolder(), 'file');
    writeFileSync(target, 'mine');
    const { code, stderr } = await run(target, 'restore', [whole]);
    expect([code, stderr]).toEqual([1, `${target} is no folder. Set DATA_DIR to a new one.\n`]);
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  it('makes no folder of a backup of which one bit is not as it was, or a file is cut off or missing', async () => {
    const flip = (at: number) => (bytes: Buffer) => {
      const place = Math.floor(at * (bytes.length - 1));
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      return bytes;
    };
    const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
    for (const name of ['desk.sqlite', 'service.sqlite'])
      for (const spoil of [flip(0), flip(0.3), flip(0.5), flip(0.8), flip(1), half, null]) {
        const spoilt = join(temporaryFolder(), 'spoilt');
        cpSync(whole, spoilt, { recursive: true });
        const file = join(spoilt, name);
        if (spoil) writeFileSync(file, spoil(readFileSync(file)));
        else rmSync(file);
        await expectNoFolder(
          spoilt,
          /^(Cannot read )?\S+\.sqlite .*so nothing was written\. Use another backup/,
        );
      }
  });

  it('makes no folder of what is no backup', async () => {
    const file = join(temporaryFolder(), 'mine.txt');
    writeFileSync(file, 'mine');
    for (const source of [file, temporaryFolder(), join(file, 'missing')])
      await expectNoFolder(source, /is no backup of Subscriber Desk/);
  });

  it.each([
    [
      'a journal that somebody edited',
      "update journal set staff_name = 'Somebody else'",
      /The journal failed the check, so nothing was written/,
    ],
    [
      'tables of a newer version',
      "insert into kysely_migration values ('9999_newer', '2026-01-01')",
      /This version cannot read desk\.sqlite/,
    ],
  ])('makes no folder of %s', async (_, edit, sentence) => {
    const dataDir = filledFolder();
    openFile(join(dataDir, 'desk.sqlite')).exec(edit);
    const edited = join(temporaryFolder(), 'backup');
    expect((await run(dataDir, 'backup', [edited])).code).toBe(0);
    await expectNoFolder(edited, sentence);
  });

  it('says what to do with a backup from before the key of the journal', async () => {
    const target = join(temporaryFolder(), 'restored');
    const JOURNAL_KEY = 'A'.repeat(43);
    const { code, stderr } = await run(target, 'restore', [whole], { JOURNAL_KEY });
    expect([code, stderr]).toEqual([1, expect.stringContaining('restore it without JOURNAL_KEY')]);
    expect(await run(target, 'restore', [whole])).toMatchObject({ code: 0 });
    const server = await openServer({ DATA_DIR: target, JOURNAL_KEY });
    expect(server.output()).toContain('"event":"journal-key-used"');
  });

  async function expectNoFolder(source: string, sentence: RegExp) {
    const folder = temporaryFolder();
    const { code, stderr } = await run(join(folder, 'restored'), 'restore', [source]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(readdirSync(folder)).toEqual([]);
  }

  it('leaves no data folder, or the whole, when it is killed', async () => {
    const folder = temporaryFolder();
    const target = join(folder, 'restored');
    mkdirSync(target);
    const killed = startProcess(['src/server/main.ts', 'restore', whole], { DATA_DIR: target });
    await vi.waitUntil(() => others(folder, 'restored').length > 0, { timeout: 30_000, interval: 1 });
    killed.signal('SIGKILL');
    await killed.ended;
    expect([[], ['desk.sqlite', 'service.sqlite']]).toContainEqual(readdirSync(target).toSorted());
    if (readdirSync(target).length > 0) return;
    expect(await run(target, 'restore', [whole])).toMatchObject({ code: 0 });
    expect(existsSync(join(target, 'desk.sqlite'))).toBe(true);
    expect(others(folder, 'restored')).toEqual([]);
  });
});

describe('a full disk', () => {
  /** The folder of a disk without any space left, with these files on it; null where no disk can be made. */
  function fullDisk(fill: (folder: string) => void): string | null {
    const disk = temporaryFolder();
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status !== 0) return null;
    onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
    fill(disk);
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'rest')}`, 'bs=1k']);
    return disk;
  }

  it('is named as the reason, and not the database that is at rest on it', async ({ skip }) => {
    const disk = fullDisk((folder) => cpSync(original, join(folder, 'data'), { recursive: true }));
    if (disk === null) return skip('Only root can make a disk.');
    const isFull = expect.stringContaining(`desk.sqlite now. The disk of the server is full.`);
    for (const [command, ...options] of [['verify-journal'], ['reset-password', 'manager']] as const)
      expect(await run(join(disk, 'data'), command, [...options])).toMatchObject({ code: 1, stderr: isFull });
    const { stderr } = await run(join(disk, 'data'), 'backup', [join(temporaryFolder(), 'backup')]);
    expect(stderr).toContain('desk.sqlite. The disk of the server is full.');
  });

  it('is named where a backup or a restore is to be written, and not another run', async ({ skip }) => {
    const disk = fullDisk(() => {});
    if (disk === null) return skip('Only root can make a disk.');
    for (const ended of [
      await run(original, 'backup', [join(disk, 'backup')]),
      await run(join(disk, 'data'), 'restore', [whole]),
    ])
      expect(ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${disk}. The disk of the server`),
      });
  });
});

test('a backup of a file that is no database says so, and not that the server writes', async () => {
  const dataDir = filledFolder();
  writeFileSync(join(dataDir, 'service.sqlite'), 'x'.repeat(10_000));
  const { code, stderr } = await run(dataDir, 'backup', [join(temporaryFolder(), 'backup')]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('service.sqlite. Nothing was written (file is not'),
  ]);
});

test('a data folder of another user is said to be one, and not to be without files', async ({ skip }) => {
  const { seteuid, getuid } = process;
  if (getuid?.() !== 0 || !seteuid) return skip('Only root can be another user.');
  const dataDir = filledFolder();
  for (const [command, ...options] of [
    ['backup', join(temporaryFolder(), 'backup')],
    ['restore', whole],
    ['verify-journal'],
    ['reset-password', 'manager'],
    ['forget-subscriber', '1'],
  ]) {
    seteuid(65_534);
    const ended = await run(dataDir, command ?? '', options).finally(() => seteuid(0));
    const stderr = `This user may not read the folder ${dataDir}. Run the command as the user of the server.\n`;
    expect(ended, command).toEqual({ code: 1, stdout: '', stderr });
  }
});
