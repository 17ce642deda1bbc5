import type { JournalEntry } from '../../contract/bff/journal.ts';
import { partLabels } from '../subscribers/fields/field-labels.ts';
import { differencesIn, type Difference } from '../subscribers/fields/part-text.ts';
import styles from './changed-fields.module.css';

/** What an edit changed, field by field: the old value struck, the new one after it. */
export function ChangedFields({ entry }: { entry: JournalEntry }) {
  const { before, after, outcome } = entry;
  if (!before || !after) return null;
  const differences = differencesIn(before, after);
  if (differences.length === 0) return <>changed nothing</>;
  return (
    <ul className={styles.fields} data-done={outcome === 'done' || undefined}>
      {differences.map((difference) => (
        <Field key={difference.name} {...difference} />
      ))}
    </ul>
  );
}

function Field({ name, before, after }: Difference) {
  return (
    <li>
      {partLabels[name]} <del title={before ?? undefined}>{shorten(before)}</del>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden"> is now </span>
      <ins title={after ?? undefined}>{after === null ? 'a new one' : shorten(after)}</ins>
    </li>
  );
}

/** A long note or list by its beginning; all of it shows on hover. */
const longest = 60;
const shorten = (text: string | null) =>
  text !== null && text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
