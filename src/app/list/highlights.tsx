import type { ReactNode } from 'react';
import { foldText, wordsOf } from '../../contract/service/search-text.ts';
import { locale } from '../components/locale.ts';

/** Shows a text, with what a filter finds in it marked. */
type ShowHighlighted = (text: string) => ReactNode;

/** Shows usernames and emails, with what the list is filtered by marked in them. */
export interface Highlights {
  username: ShowHighlighted;
  email: ShowHighlighted;
  /** The part of a note that a filter finds; undefined without one. */
  note: ShowHighlighted | undefined;
}

export const createHighlights = (
  username: string | undefined,
  email: string | undefined,
  note?: string,
): Highlights => ({
  username: createShow(wordsOf(username ?? '')),
  email: createShow(wordsOf(email ?? '')),
  note: note === undefined ? undefined : createExcerpt(foldText(note)),
});

/** As much of a note as a line has, from the word on in which the text is. */
const excerptLength = 160;

function createExcerpt(text: string): ShowHighlighted {
  const show = createShow([text]);
  return (note) => {
    const { folded, origins } = foldWithOrigins(note);
    const from = note.lastIndexOf(' ', origins[folded.indexOf(text)] ?? 0) + 1;
    return (
      <>
        Note: {from > 0 && '…'}
        {show(note.slice(from, from + excerptLength))}
      </>
    );
  };
}

/**
 * Marks the words of a filter as our own service finds them: without regard to case and accents. What another service finds in
 * its own way is shown unmarked.
 */
function createShow(words: readonly string[]): ShowHighlighted {
  if (words.length === 0) return (text) => text;
  return function show(text) {
    const { folded, origins } = foldWithOrigins(text);
    const isMarked = new Set<number>();
    for (const word of words)
      for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
        for (const origin of origins.slice(at, at + word.length)) isMarked.add(origin);
    if (isMarked.size === 0) return text;
    return partsOf(text, isMarked).map(({ part, marked, start }) =>
      marked ? <mark key={start}>{part}</mark> : part,
    );
  };
}

/** The folded text, and for each of its units the position of the character of the text that it comes from. */
function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  let folded = '';
  const origins: number[] = [];
  for (const { segment, index } of characters.segment(text)) {
    const own = foldText(segment);
    folded += own;
    for (let unit = 0; unit < own.length; unit += 1) origins.push(index);
  }
  return { folded, origins };
}

/** Characters as people see them, so that no accent is marked without its letter. */
const characters = new Intl.Segmenter(locale, { granularity: 'grapheme' });

/** The text in pieces, each of which is marked or not. */
function partsOf(text: string, isMarked: ReadonlySet<number>) {
  const parts: { part: string; marked: boolean; start: number }[] = [];
  for (const { segment, index } of characters.segment(text)) {
    const marked = isMarked.has(index);
    const last = parts.at(-1);
    if (last?.marked === marked) last.part += segment;
    else parts.push({ part: segment, marked, start: index });
  }
  return parts;
}
