import { locale } from '../components/locale.ts';

/** A place where two texts differ, and what both have after it. At the first place they may be the same. */
interface WordChange {
  removed: string;
  added: string;
  kept: string;
}

/** The changes between two texts, word by word. */
export function diffWords(before: string, after: string): WordChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;

  let last: WordChange = { removed: '', added: '', kept: old.slice(0, start).join('') };
  const changes = [last];
  const differ = (removed: string, added: string) => {
    if (removed === '' && added === '') return;
    // Two changed words with a space between them are one change.
    if (changes.length > 1 && !/[\p{L}\p{N}]/u.test(last.kept)) {
      last.removed += last.kept + removed;
      last.added += last.kept + added;
      last.kept = '';
    } else changes.push((last = { removed, added, kept: '' }));
  };
  const [from, to] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  let [i, j] = [0, 0];
  for (const [inOld, inNow] of commonWords(from, to)) {
    differ(from.slice(i, inOld).join(''), to.slice(j, inNow).join(''));
    last.kept += from[inOld];
    [i, j] = [inOld + 1, inNow + 1];
  }
  differ(from.slice(i).join(''), to.slice(j).join(''));
  last.kept += old.slice(old.length - end).join('');
  return changes;
}

const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });

/** Words, and what is between them. Some languages have no spaces between words. */
export function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Comparing takes as long as there are pairs of words; about 10 ms for this many, which two whole notes have. */
const mostPairs = 1_000_000;

/** The positions in both lists of their longest common subsequence. None if the lists are too long to compare. */
function commonWords(from: readonly string[], to: readonly string[]): [number, number][] {
  if (from.length * to.length > mostPairs) return [];
  const width = to.length + 1;
  /** The length of the subsequence from each pair of positions on. */
  const lengths = new Uint16Array((from.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        from[i] === to[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  const common: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) common.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}
