import { expect, test } from 'vitest';
import { diffWords } from '../../../src/app/subscriber/word-diff.ts';

/** A difference as one line: -removed- +added+ and what stayed. */
const written = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ removed, added, kept }) => `${removed && `-${removed}-`}${added && `+${added}+`}${kept}`)
    .join('');

test.each([
  ['Calls on Mondays.', 'Calls on Fridays.', 'Calls on -Mondays-+Fridays+.'],
  ['Moved to Oslo', 'Moved to Oslo in May', 'Moved to Oslo+ in May+'],
  ['Please call back', 'Call back', '-Please call-+Call+ back'],
  ['one two three four', 'one 2 3 four', 'one -two three-+2 3+ four'],
  ['a b c d e f', 'a X c d Y f', 'a -b-+X+ c d -e-+Y+ f'],
  ['192.0.2.1, 192.0.2.2', '192.0.2.1, 192.0.2.9', '192.0.2.1, -192.0.2.2-+192.0.2.9+'],
  ['line one\nline two', 'line one\nrow two', 'line one\n-line-+row+ two'],
  ['月曜日に電話', '金曜日に電話', '-月曜日-+金曜日+に電話'],
  ['a  b', 'a b', 'a-  -+ +b'],
  ['', 'new', '+new+'],
  ['same', 'same', 'same'],
])('the difference from “%s” to “%s” shows the words that changed', (before, after, line) => {
  expect(written(before, after)).toBe(line);
});

test('both texts can be put together again', () => {
  const [before, after] = ['Card expired. Sent a link, twice.', 'Sent a new link twice. Card works.'];
  const changes = diffWords(before, after);
  expect(changes.map(({ removed, kept }) => removed + kept).join('')).toBe(before);
  expect(changes.map(({ added, kept }) => added + kept).join('')).toBe(after);
});

test('texts with too many words to compare are one change between what they share', () => {
  const words = (from: number) => Array.from({ length: 1500 }, (_, index) => `w${from + index}`).join(' ');
  const changes = diffWords(`start ${words(0)} end`, `start ${words(7)} end`);
  expect(changes).toHaveLength(2);
  expect(changes.map(({ kept }) => kept)).toEqual(['start ', ' end']);
});
