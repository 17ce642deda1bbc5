import { expect, test } from 'vitest';
import { parseText, readSources } from './support/code/source-files.ts';
import { titleFaults } from './support/code/test-names.ts';

/** Folders whose titles are not converted yet. */
const unconverted = /^test\/((app|bff|contract|demo|long|server|service|support)\/|[a-z-]+\.test\.ts)/;

test('every title in a list of failures makes sense alone', () => {
  const faults = readSources('test')
    .filter(({ path }) => !unconverted.test(path))
    .flatMap(titleFaults);
  expect(faults).toEqual([]);
});

test('a title is known by its first words', () => {
  const faults = (text: string) => titleFaults(parseText('a.test.ts', text)).length;
  const wrong = [
    "test('is refused')",
    "test('after a stop, none is left')",
    "test.each([1])('changes %i', f)",
    "describe('a', () => it('an import waits'))",
    "it('waits')",
    "describe('where it fails')",
  ];
  const right = [
    "test('changes of others wait')",
    "test('an import waits')",
    "test.each([1])('%i is refused', f)",
    "describe('an import', () => it('waits'))",
    "describe('an import', () => it.each([1])('must not wait for %i', f))",
    "describe('an import', () => it('must have rows'))",
  ];
  expect(wrong.filter((text) => faults(text) === 0)).toEqual([]);
  expect(right.filter((text) => faults(text) > 0)).toEqual([]);
});
