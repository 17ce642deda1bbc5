import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataFile, unfinishedBeside } from '../../../src/server/data-folder.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const deepFolder = () => join(temporaryFolder(), 'deep', 'data');
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('what is missing is made, for this user alone', async () => {
  const folder = deepFolder();
  expect(await openDataFile(folder, 'desk')).toBe(join(folder, 'desk.sqlite'));
  expect(await openDataFile(folder, 'service')).toBe(join(folder, 'service.sqlite'));
  expect(modeOf(folder)).toBe('700');
  expect(readdirSync(folder).toSorted()).toEqual(['desk.sqlite', 'service.sqlite']);
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name)), name).toBe('600');
});

test('what root makes belongs to the user of the folder around it, as with a command before the first start', async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) return skip('Only root gives files to others.');
  const around = temporaryFolder();
  chownSync(around, 65_534, 65_534);
  const file = await openDataFile(join(around, 'data'), 'service');
  for (const path of [join(around, 'data'), file]) {
    const { uid, gid } = statSync(path);
    expect([uid, gid], path).toEqual([65_534, 65_534]);
  }
});

test('a folder and files that were open to others are closed before they are read', async () => {
  const folder = deepFolder();
  const openBoth = () => Promise.all([openDataFile(folder, 'desk'), openDataFile(folder, 'service')]);
  await openBoth();
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
  chmodSync(folder, 0o777);
  await openBoth();
  expect(modeOf(folder)).toBe('700');
  for (const name of readdirSync(folder)) expect(modeOf(join(folder, name)), name).toBe('600');
});

test('an open folder that holds other things is left as it is and refused', async () => {
  const shared = join(temporaryFolder(), 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, 'holiday.jpg'), '');
  await expect(openDataFile(shared, 'desk')).rejects.toThrow(
    `Other users can read the folder ${shared}, and it contains other files. Set DATA_DIR to a folder of its own.`,
  );
  expect([modeOf(shared), readdirSync(shared)]).toEqual(['755', ['holiday.jpg']]);
});

test('servers that start at the same moment all get it', async () => {
  const folder = deepFolder();
  const all = await Promise.all(Array.from({ length: 4 }, () => openDataFile(folder, 'desk')));
  expect(new Set(all).size).toBe(1);
});

test('a database that is there keeps its content', async () => {
  const file = await openDataFile(deepFolder(), 'desk');
  writeFileSync(file, 'content');
  await openDataFile(join(file, '..'), 'desk');
  expect(readFileSync(file, 'utf8')).toBe('content');
});

test('a folder that cannot be made is named, with what to set', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const below = join(file, 'data');
  await expect(openDataFile(below, 'desk')).rejects.toThrow(
    `Cannot use the folder ${below} (ENOTDIR). Set DATA_DIR to a folder that this program can write to.`,
  );
  expect(existsSync(below)).toBe(false);
});

test('a path where no folder can be created is named too', async () => {
  await expect(openDataFile('/proc/subscriber-desk/data', 'desk')).rejects.toThrow('Set DATA_DIR');
});

test('what a restore that was killed left beside the folder is gone after the next start', async () => {
  const folder = deepFolder();
  const unfinished = unfinishedBeside(folder);
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'desk.sqlite'), 'keys');
  await openDataFile(folder, 'desk');
  expect(readdirSync(join(folder, '..'))).toEqual(['data']);
});

test('what a killed restore of root has left is named, which only root can remove', async ({ skip }) => {
  const { seteuid, getuid } = process;
  if (getuid?.() !== 0 || !seteuid) return skip('Only root can be another user.');
  const around = temporaryFolder();
  chownSync(around, 65_534, 65_534);
  const place = join(around, '.data-unfinished');
  mkdirSync(join(place, 'files'), { recursive: true, mode: 0o700 });
  seteuid(65_534);
  const opening = openDataFile(join(around, 'data'), 'desk').finally(() => seteuid(0));
  await expect(opening).rejects.toThrow(`Cannot remove ${place}, which a restore by another user has made.`);
});
