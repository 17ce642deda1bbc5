import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { bffMigrations } from '../../src/bff/migrations.ts';
import { buildDashboard } from '../../src/server/build/build.ts';
import { serviceMigrations } from '../../src/service/migrations.ts';
import { createPerson } from '../support/bff/person.ts';
import {
  addressOf,
  newSubscriber,
  signIn,
  startServer,
  totalCount,
} from '../support/server/server-process.ts';
import { root, startProcess } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';
import { startEmbeddedPostgres } from '../support/setup/embedded-postgres.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const noHistory =
  'There are no tables of an earlier version, or the history of this project is not whole. In a clone: git fetch --unshallow.';
const password = 'chosen by the operator';
const env = { MANAGER_PASSWORD: password, SAMPLE_SUBSCRIBERS: '3' };

test('this version and the one before its newest tables read and write beside each other on one PostgreSQL', async ({
  skip,
}) => {
  const older = unpackOlder();
  if (older === null) return skip(noHistory);
  const postgres = await startEmbeddedPostgres();
  onTestFinished(() => postgres.stop());
  const shared = { ...env, DATABASE_URL: postgres.url, SERVICE_DATABASE_URL: postgres.url };
  const nowhere = join(temporaryFolder(), 'none');
  const first = startOlder(older, nowhere, shared);
  const before = await session(await addressOf(first));
  const ids = [await before.create('made before the update')];

  const now = await session(await addressOf(startServer(nowhere, shared)), before.cookie);
  const again = await session(before.url);
  for (let turn = 0; turn < 10; turn += 1)
    for (const [writer, reader] of [
      [before, now],
      [now, again],
    ] as const) {
      const id = await writer.create(`made in turn ${turn} at ${writer === now ? 'this' : 'the older'} one`);
      ids.push(id);
      expect(await reader.note(id)).toBe('');
      await reader.change(id, `changed in turn ${turn}`);
      expect(await writer.note(id)).toBe(`changed in turn ${turn}`);
      await writer.change(ids[turn] ?? 0, `changed again in turn ${turn}`);
      expect(await reader.note(ids[turn] ?? 0)).toBe(`changed again in turn ${turn}`);
    }
  for (const each of [before, now]) {
    expect(await each.total('/api/subscribers')).toBe(3 + ids.length);
    // A creation and two changes in each half of a turn, and the first one.
    expect(await each.total('/bff/activity?kind=change')).toBe(1 + 10 * 2 * 3);
  }
  const checked = startProcess(['src/server/main.ts', 'verify-journal'], shared);
  expect(await checked.ended).toMatchObject({ code: 0, stderr: '' });
  // One that was stopped does not come back, but says why. What runs goes on.
  const late = await startOlder(older, nowhere, shared).ended;
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('belongs to a newer version')]);
  expect(await before.total('/api/subscribers')).toBe(3 + ids.length);
});

test('going back to the version before, with its backup, has all from before the update', async ({
  skip,
}) => {
  const older = unpackOlder();
  if (older === null) return skip(noHistory);
  const [updated, restored] = [join(temporaryFolder(), 'data'), join(temporaryFolder(), 'data')];
  const backup = join(temporaryFolder(), 'backup');
  const desk = (command: string, dataDir: string) =>
    startProcess([join(older, 'src/server/main.ts'), command, backup], { DATA_DIR: dataDir }).ended;

  const first = startOlder(older, updated, env);
  const before = await session(await addressOf(first));
  await before.create('made before the update');
  expect(await desk('backup', updated)).toMatchObject({ code: 0 });
  await stop(first);
  const update = startServer(updated, env);
  await (await session(await addressOf(update))).create('made after the update');
  await stop(update);

  const refused = await startOlder(older, updated, env).ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Restore it from a backup')]);
  expect(await desk('restore', restored)).toMatchObject({ code: 0 });
  const back = await session(await addressOf(startOlder(older, restored, env)));
  expect(await back.total('/api/subscribers?Username=made before')).toBe(1);
  expect(await back.total('/api/subscribers?Username=made after')).toBe(0);
  // The refusal has changed nothing: this version goes on where it was.
  const forward = await session(await addressOf(startServer(updated, env)));
  expect(await forward.total('/api/subscribers?Username=made')).toBe(2);
});

/**
 * The code as it was before a migration was added last, with the packages and the dashboard of now.
 *
 * @returns its folder; null where the history is missing, or nothing was added to the first tables yet
 */
function unpackOlder(): string | null {
  const steps = [bffMigrations, serviceMigrations].map((migrations) => Object.keys(migrations).length);
  if (Math.max(...steps) === 1) return null;
  const git = (...words: string[]) => spawnSync('git', words, { cwd: root, maxBuffer: 2 ** 28 });
  const shallow = git('rev-parse', '--is-shallow-repository');
  if (shallow.status !== 0 || String(shallow.stdout).trim() !== 'false') return null;
  const files = ['src/bff/migrations.ts', 'src/service/migrations.ts'];
  const added = String(git('log', '-1', '--format=%H', "-G^  '[0-9]{4}-", '--', ...files).stdout).trim();
  const folder = temporaryFolder();
  const archive = git('archive', '--format=tar', `${added}~1`, 'src', 'package.json').stdout;
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Without its `index.html` it takes the dashboard as it is.
  cpSync(join(root, 'dist/app'), join(folder, 'dist/app'), { recursive: true });
  return folder;
}

function startOlder(folder: string, dataDir: string, given: Record<string, string>) {
  return startProcess([join(folder, 'src/server/main.ts'), 'start'], {
    PORT: '0',
    DATA_DIR: dataDir,
    ...given,
  });
}

async function stop(server: ReturnType<typeof startServer>): Promise<void> {
  server.signal('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
}

/** A session at one server, perhaps one that was begun at another. */
async function session(url: string, given?: string) {
  const cookie = given ?? (await signIn(url, password)).cookie;
  const person = createPerson(fetch, url, cookie);
  const ask = async (path: string) => {
    const answer = await person.ask('GET', path);
    expect(answer.status).toBe(200);
    return answer;
  };
  const done = async (method: string, path: string, body: object) => {
    const answer = await person.ask(method, path, body);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text);
  };
  return {
    url,
    cookie,
    create: async (username: string): Promise<number> =>
      (await done('POST', '/api/subscribers', newSubscriber(username))).id,
    change: (id: number, note: string) => done('PUT', `/api/subscribers/${id}`, { note }),
    note: async (id: number): Promise<string> => (await (await ask(`/api/subscribers/${id}`)).json()).note,
    total: async (path: string) => totalCount(await ask(path)),
  };
}
