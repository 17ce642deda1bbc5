import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPerson } from '../../support/bff/person.ts';
import { addressOf, signIn, startServer } from '../../support/server/server-process.ts';
import { root, startProcess } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { startEmbeddedPostgres } from '../../support/setup/embedded-postgres.ts';
import { person } from '../../support/people.ts';

const password = 'chosen by the operator';
const env = { MANAGER_PASSWORD: password, SAMPLE_SUBSCRIBERS: '3' };

test('this version and one with newer tables read and write beside each other on one PostgreSQL', async () => {
  const newer = createNewer();
  const postgres = await startEmbeddedPostgres();
  onTestFinished(() => postgres.stop());
  const shared = { ...env, DATABASE_URL: postgres.url, SERVICE_DATABASE_URL: postgres.url };
  const nowhere = join(temporaryFolder(), 'none');
  const before = await session(await addressOf(startServer(nowhere, shared)));
  const ids = [await before.create('made before the update')];

  const now = await session(await addressOf(startNewer(newer, nowhere, shared)), before.cookie);
  const again = await session(before.url);
  for (let turn = 0; turn < 10; turn += 1)
    for (const [writer, reader] of [
      [before, now],
      [now, again],
    ] as const) {
      const id = await writer.create(`made in turn ${turn} at the ${writer === now ? 'newer' : 'older'} one`);
      ids.push(id);
      expect(await reader.note(id)).toBe('');
      await reader.change(id, `changed in turn ${turn}`);
      expect(await writer.note(id)).toBe(`changed in turn ${turn}`);
      await writer.change(ids[turn] ?? 0, `changed again in turn ${turn}`);
      expect(await reader.note(ids[turn] ?? 0)).toBe(`changed again in turn ${turn}`);
    }
  for (const each of [before, now]) {
    expect(await each.count()).toBe(3 + ids.length);
    // A creation and two changes in each half of a turn, and the first one.
    expect(await each.countChanges()).toBe(1 + 10 * 2 * 3);
  }
  const checked = startProcess([join(newer, 'src/server/main.ts'), 'verify-journal'], shared);
  expect(await checked.ended).toMatchObject({ code: 0, stderr: '' });
  // One that was stopped does not come back, but says why. What runs goes on.
  const late = await startServer(nowhere, shared).ended;
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('belongs to a newer version')]);
  expect(await before.count()).toBe(3 + ids.length);
});

test('going back to the version before, with its backup, has all from before the update', async () => {
  const newer = createNewer();
  const [updated, restored] = [join(temporaryFolder(), 'data'), join(temporaryFolder(), 'data')];
  const backup = join(temporaryFolder(), 'backup');
  const desk = (command: string, dataDir: string) =>
    startProcess(['src/server/main.ts', command, backup], { DATA_DIR: dataDir }).ended;

  const first = startServer(updated, env);
  const before = await session(await addressOf(first));
  await before.create('made before the update');
  expect(await desk('backup', updated)).toMatchObject({ code: 0 });
  await stop(first);
  const update = startNewer(newer, updated, env);
  await (await session(await addressOf(update))).create('made after the update');
  await stop(update);

  const refused = await startServer(updated, env).ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('belongs to a newer version')]);
  expect(await desk('restore', restored)).toMatchObject({ code: 0 });
  const back = await session(await addressOf(startServer(restored, env)));
  expect(await back.count('made before')).toBe(1);
  expect(await back.count('made after')).toBe(0);
  // The refusal has changed nothing: the newer version goes on where it was.
  const forward = await session(await addressOf(startNewer(newer, updated, env)));
  expect(await forward.count('made')).toBe(2);
});

/**
 * The code with one more step of each side's tables, which nothing reads, as a new version adds them.
 *
 * @returns its folder
 */
function createNewer(): string {
  const folder = temporaryFolder();
  for (const path of ['src', 'package.json', 'dist/app'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [side, table] of [
    ['bff', 'staff'],
    ['service', 'subscribers'],
  ] as const) {
    const file = join(folder, `src/${side}/migrations.ts`);
    const text = readFileSync(file, 'utf8');
    const step = `async up(db) { await db.schema.alterTable('${table}').addColumn('later', 'text').execute(); }`;
    const added = text.replace(
      /(Migrations: Record<string, Migration> = \{\n)/,
      `$1  '9999-later': { ${step} },\n`,
    );
    expect(added).not.toBe(text);
    writeFileSync(file, added);
  }
  return folder;
}

function startNewer(folder: string, dataDir: string, given: Record<string, string>) {
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
  const { api, bff } = createPerson(fetch, url, cookie);
  return {
    url,
    cookie,
    create: async (username: string) =>
      (await api.createSubscriber({ body: person(username, { email: 'made@example.com' }) })).data.id,
    change: (id: number, note: string) => api.updateSubscriber({ params: { id }, body: { note } }),
    note: async (id: number) => (await api.getSubscriber({ params: { id }, query: {} })).data.note,
    count: async (Username?: string) => (await api.listSubscribers({ query: { Username } })).data.totalCount,
    countChanges: async () => (await bff.listActivity({ query: { kind: 'change' } })).data.totalCount,
  };
}
