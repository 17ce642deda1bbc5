import { expect, test } from 'vitest';
import { readCallPath } from './support/code/call-path.ts';
import { mostFragmentLines, readStructure } from './support/code/structure.ts';

const structure = readStructure();

test(`a file of at most ${mostFragmentLines} lines has a second importer or a test of its own, but for a few`, () => {
  expect(structure.fragments.length, structure.fragments.join('\n')).toBeLessThanOrEqual(15);
});

test('no folder of src holds over 40 code files', () => {
  expect([...structure.folders].filter(([, files]) => files > 40)).toEqual([]);
});

const mostFilesOnPath = 32;

test(`regenerating a token passes at most ${mostFilesOnPath} files on the server side`, async () => {
  const { status, files } = await readCallPath();
  expect(status).toBe(200);
  expect(files).toContainEqual(
    expect.stringMatching(/^service\/subscribers\/handlers\.ts: .*regenerateToken/),
  );
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(mostFilesOnPath);
});
