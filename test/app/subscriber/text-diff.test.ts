import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { diffWords, mergeLines } from '../../../src/app/subscriber/text-diff.ts';

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

describe('the merge of two notes by line', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 6 })
    .map((lines) => lines.join('\n'));
  const linesOf = (note: string) => note.split('\n').filter((line) => line !== '');

  it('has every line that either side added, and no line that neither has', () => {
    const property = fc.property(text, text, text, (base, theirs, mine) => {
      const merged = linesOf(mergeLines(base, theirs, mine).text);
      const before = linesOf(base);
      const added = [...linesOf(theirs), ...linesOf(mine)].filter((line) => !before.includes(line));
      expect(merged).toEqual(expect.arrayContaining(added));
      expect([...before, ...linesOf(theirs), ...linesOf(mine)]).toEqual(expect.arrayContaining(merged));
    });
    fc.assert(property, { seed: 20_261_125, numRuns: 2000 });
  });

  it('is the text of the one who changed it, or of both if they made the same change', () => {
    const property = fc.property(text, text, (base, changed) => {
      const merged = { text: changed, clash: false };
      expect(mergeLines(base, changed, base)).toEqual(merged);
      expect(mergeLines(base, base, changed)).toEqual(merged);
      expect(mergeLines(base, changed, changed)).toEqual(merged);
    });
    fc.assert(property, { seed: 20_261_125, numRuns: 1000 });
  });

  it.each([
    ['both added at the end', 'a', 'a\nx', 'a\ny', 'a\nx\ny', false],
    ['both added below the same new line', 'a', 'a\n27 Nov\nx', 'a\n27 Nov\ny', 'a\n27 Nov\nx\ny', false],
    ['both began the note', '', 'x', 'y', 'x\ny', false],
    ['neighbouring lines were changed', 'a\nb', 'x\nb', 'a\ny', 'x\ny', false],
    ['one removed a line and one added one', 'a\nb', 'b', 'a\nb\ny', 'b\ny', false],
    ['both corrected a line alike and added one', 'a\nb', 'A\nb\nx', 'A\nb\ny', 'A\nb\nx\ny', false],
    ['both changed the same line', 'a\nb', 'x\nb', 'y\nb', 'x\ny\nb', true],
    ['one removed the line that one changed', 'a\nb', 'b', 'y\nb', 'y\nb', true],
  ])('keeps both changes where %s', (_, base, theirs, mine, merged, clash) => {
    expect(mergeLines(base, theirs, mine)).toEqual({ text: merged, clash });
  });
});
