import { expect, test } from 'vitest';
import { readSources } from '../support/code/source-files.ts';

/** Files that only a clone runs, and the one that knows the words of both. */
const exempt = /^src\/server\/(dev\.ts|build\/|installation\.ts)/;

test('what the server says names no npm script: in the package there is none', () => {
  const sentences = readSources('src').flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => /npm (run|start)/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(sentences.filter((each) => exempt.test(each)).length).toBeGreaterThan(2);
  expect(sentences.filter((each) => !exempt.test(each))).toEqual([]);
});
