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
  let last: WordChange = { removed: '', added: '', kept: '' };
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
  let [i, j] = [0, 0];
  for (const [inOld, inNow] of commonParts(old, now)) {
    differ(old.slice(i, inOld).join(''), now.slice(j, inNow).join(''));
    last.kept += old[inOld];
    [i, j] = [inOld + 1, inNow + 1];
  }
  differ(old.slice(i).join(''), now.slice(j).join(''));
  return changes;
}

/**
 * A text with the changes that two people made, line by line. Where both added something, theirs comes first.
 *
 * @returns also whether both changed the same line; the text then has both of its versions
 */
export function mergeLines(base: string, theirs: string, mine: string): { text: string; clash: boolean } {
  const before = linesOf(base);
  const [others, own] = [changesOf(before, linesOf(theirs)), changesOf(before, linesOf(mine))];
  const lines = [...before, null].flatMap((line, index) => {
    const [one, other] = [others.added[index], own.added[index]];
    const isKept = line !== null && !others.replaced.has(index) && !own.replaced.has(index);
    return [one, withoutStart(other, one), isKept ? line : undefined];
  });
  const clash = before.some((line, index) => {
    const [one, other] = [others.replaced.get(index), own.replaced.get(index)];
    return line.trim() !== '' && one !== undefined && other !== undefined && one !== other;
  });
  return { text: lines.filter((line) => line !== undefined).join('\n'), clash };
}

/** Lines without those at their start with which others begin, too; undefined if nothing is left. */
function withoutStart(text: string | undefined, others: string | undefined): string | undefined {
  const [lines, theirs] = [text?.split('\n') ?? [], others?.split('\n') ?? []];
  const first = lines.findIndex((line, index) => line !== theirs[index]);
  return first === -1 ? undefined : lines.slice(first).join('\n');
}

/** The lines added before each line, or at the end, as one text; and by which of them a removed line was replaced. */
function changesOf(before: readonly string[], after: readonly string[]) {
  const added: (string | undefined)[] = [];
  const replaced = new Map<number, string>();
  let [i, j] = [0, 0];
  for (const [inBefore, inAfter] of [...commonParts(before, after), [before.length, after.length] as const]) {
    if (inAfter > j) added[i] = after.slice(j, inAfter).join('\n');
    for (let line = i; line < inBefore; line += 1) replaced.set(line, added[i] ?? '');
    [i, j] = [inBefore + 1, inAfter + 1];
  }
  return { added, replaced };
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });

/** Words, and what is between them. Some languages have no spaces between words. */
export function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Comparing takes as long as there are pairs; about 10 ms for this many, which the words of two whole notes have. */
const mostPairs = 1_000_000;

/** The positions in both lists of what they share, in order: all that is possible, or only both ends of very long lists. */
function commonParts(old: readonly string[], now: readonly string[]): [number, number][] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const between = longestCommon(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [
    ...Array.from({ length: start }, (_, index): [number, number] => [index, index]),
    ...between.map(([i, j]): [number, number] => [start + i, start + j]),
    ...Array.from({ length: end }, (_, i): [number, number] => [old.length - end + i, now.length - end + i]),
  ];
}

/** The positions in both lists of their longest common subsequence. None if the lists are too long to compare. */
function longestCommon(from: readonly string[], to: readonly string[]): [number, number][] {
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
