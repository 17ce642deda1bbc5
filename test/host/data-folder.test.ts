import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataFolder } from '../../src/host/data-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

function arrange() {
  let calls = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill((calls += 1));
  const folder = join(temporaryFolder(), 'deep', 'data');
  return { folder, openIt: (path = folder) => openDataFolder(path, random) };
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('what is missing is made, for this user alone', async () => {
  const { folder, openIt } = arrange();
  const { desk, service } = await openIt();
  expect([desk, service]).toEqual([join(folder, 'desk.sqlite'), join(folder, 'service.sqlite')]);
  expect(modeOf(folder)).toBe('700');
  expect(readdirSync(folder).toSorted()).toEqual(['desk.sqlite', 'secrets.json', 'service.sqlite']);
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name)), name).toBe('600');
});

test('a folder and files that were open to others are closed before they are read', async () => {
  const { folder, openIt } = arrange();
  const { secrets } = await openIt();
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
  chmodSync(folder, 0o777);
  expect((await openIt()).secrets).toEqual(secrets);
  expect(modeOf(folder)).toBe('700');
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name)), name).toBe('600');
});

test('an open folder that holds other things is left as it is and refused', async () => {
  const { openIt } = arrange();
  const shared = join(temporaryFolder(), 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, 'holiday.jpg'), '');
  await expect(openIt(shared)).rejects.toThrow(
    `The folder ${shared} is open to other users and holds other things as well. Set DATA_DIR to a folder of its own.`,
  );
  expect([modeOf(shared), readdirSync(shared)]).toEqual(['755', ['holiday.jpg']]);
});

test('secrets are generated once and kept', async () => {
  const { folder, openIt } = arrange();
  const first = await openIt();
  expect(first.secrets.clientSecret).toMatch(/^[\w-]{43}$/);
  expect((await openIt()).secrets).toEqual(first.secrets);
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual(first.secrets);
});

test('two desks that start at the same moment share one secret', async () => {
  const { openIt } = arrange();
  const all = await Promise.all([openIt(), openIt(), openIt(), openIt()]);
  expect(new Set(all.map(({ secrets }) => secrets.clientSecret)).size).toBe(1);
});

test('a database that is there keeps its content', async () => {
  const { folder, openIt } = arrange();
  await openIt();
  writeFileSync(join(folder, 'desk.sqlite'), 'content');
  await openIt();
  expect(readFileSync(join(folder, 'desk.sqlite'), 'utf8')).toBe('content');
});

test('a folder that cannot be made is named, with what to set', async () => {
  const { openIt } = arrange();
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const below = join(file, 'data');
  await expect(openIt(below)).rejects.toThrow(
    `The folder ${below} cannot be used (ENOTDIR). Set DATA_DIR to one that this program may write to.`,
  );
  expect(existsSync(below)).toBe(false);
});

test.each(['', '{', '{"clientSecret":"short"}'])(
  'damaged secrets are not replaced unasked: %s',
  async (text) => {
    const { folder, openIt } = arrange();
    await openIt();
    const file = join(folder, 'secrets.json');
    writeFileSync(file, text);
    await expect(openIt()).rejects.toThrow(`${file} is damaged. Remove it: the next start makes a new one.`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

test('a place that takes no folders is named too', async () => {
  await expect(arrange().openIt('/proc/subscriber-desk/data')).rejects.toThrow('Set DATA_DIR');
});
