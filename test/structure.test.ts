import { expect, test } from 'vitest';
import { mostFragmentLines, readStructure } from './support/code/structure.ts';

const structure = readStructure();

test(`a file of at most ${mostFragmentLines} lines has a second importer or a test of its own, but for a few`, () => {
  expect(structure.fragments.length, structure.fragments.join('\n')).toBeLessThanOrEqual(200);
});

test('no folder of src holds over 40 code files', () => {
  expect([...structure.folders].filter(([, files]) => files > 40)).toEqual([]);
});
