import { expect, test } from 'vitest';
import { textFiltersOf } from '../../../src/service/subscribers/text-search.ts';

test.each([
  ['e '.repeat(127), ['e']],
  ['Anna an hansen ANNA', ['anna', 'hansen']],
  [' ', []],
])('a search for “%s” looks once for each word that no other word has in it', (text, words) => {
  for (const [name, query] of [
    ['username', { Username: text }],
    ['email', { Email: text }],
  ] as const)
    expect(textFiltersOf(query)).toEqual(words.map((word) => ({ name, text: word })));
});
