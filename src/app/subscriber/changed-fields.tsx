import { Fragment, useMemo, useState } from 'react';
import type { ChangeEntry } from '../../contract/bff/journal.ts';
import { Button } from '../components/button.tsx';
import { useBundles } from './bundles.ts';
import { differencesIn, partLabels, type Difference } from './subscriber-fields.ts';
import { diffWords, wordsOf } from './text-diff.ts';
import styles from './changes.module.css';

/** The changes of an edit, field by field: the old value struck through, the new one after it. */
export function ChangedFields({ entry }: { entry: Pick<ChangeEntry, 'before' | 'after' | 'outcome'> }) {
  const { before, after, outcome } = entry;
  const bundles = useBundles();
  if (!before || !after) return null;
  const differences = differencesIn(before, after, bundles);
  if (differences.length === 0) return <>No changes</>;
  return (
    <ul className={styles.fields} data-done={outcome === 'done' || undefined}>
      {differences.map((difference) => (
        <li key={difference.name}>
          {partLabels[difference.name]} <ChangedField {...difference} />
        </li>
      ))}
    </ul>
  );
}

/** Longer notes and lists show only the words that changed, and what is around them. */
const longest = 60;
export const isLong = (text: string): boolean => text.length > longest;

function ChangedField({ name, before, after }: Difference) {
  if (name === 'note' && before && after?.startsWith(`${before}\n`)) {
    const added = after.slice(before.length + 1);
    if (!isLong(added)) return <ins>+ {added}</ins>;
  }
  if (before && after && (isLong(before) || isLong(after)))
    return <ChangedWords before={before} after={after} />;
  return (
    <>
      <del>{before}</del>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden"> is now </span>
      <ins>{after ?? 'new value'}</ins>
    </>
  );
}

/**
 * The words that changed in a long text; the whole text if the user asks for it.
 *
 * @param props.around the number of words and spaces that are shown of what stayed, before and after a change
 */
export function ChangedWords(props: { before: string; after: string; around?: number }) {
  const { before, after, around = 12 } = props;
  const [isWhole, setWhole] = useState(false);
  const changes = useMemo(() => diffWords(before, after), [before, after]);
  const last = changes.length - 1;
  const short = changes.map(({ removed, added, kept }, index) => ({
    removed: cut(removed, most, 0),
    added: cut(added, most, 0),
    kept: cut(kept, index === 0 ? 0 : around, index === last ? 0 : around),
  }));
  const isCut = changes.some(({ removed, added, kept }, index) => {
    const shown = short[index];
    return shown?.removed !== removed || shown.added !== added || shown.kept !== kept;
  });
  return (
    <>
      <span className={styles.words} data-whole={isWhole || undefined}>
        {(isWhole ? changes : short).map(({ removed, added, kept }, index) => (
          <Fragment key={index}>
            {removed && (
              <del>
                <Spoken text=" removed: " />
                {removed}
              </del>
            )}
            {added && (
              <ins>
                <Spoken text=" added: " />
                {added}
              </ins>
            )}
            {index > 0 && <Spoken text=" then: " />}
            {kept}
          </Fragment>
        ))}
      </span>
      {isCut && (
        <div>
          <Button small aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Hide whole text' : 'Show whole text'}
          </Button>
        </div>
      )}
    </>
  );
}

/** Screen readers do not say where a text is struck through. */
const Spoken = ({ text }: { text: string }) => <span className="visually-hidden">{text}</span>;

/** The number of words and spaces that are shown of a change. */
const most = 40;

/** The first and the last words of a text, with dots for what is between them. */
function cut(text: string, first: number, last: number): string {
  const words = wordsOf(text);
  if (words.length <= first + last + 1) return text;
  const end = last === 0 ? '' : words.slice(-last).join('');
  // The end of a sentence, after the dots, would look like one more dot.
  return `${words.slice(0, first).join('')}… ${end.replace(/^[\p{P}\s]+/u, '')}`;
}
