import type { Change, JournalEntry } from '../../contract/bff/journal.ts';
import { problems } from '../../contract/http/problem-answer.ts';
import { partLabels } from '../subscribers/fields/subscriber-fields.ts';
import { differencesIn, type Difference } from '../subscribers/fields/field-text.ts';
import styles from './changes.module.css';

/** The name of each operation, as in a filter and for a change that was not done. */
export const operationNames: Readonly<Record<Change, string>> = {
  createSubscriber: 'Create',
  updateSubscriber: 'Edit',
  deleteSubscriber: 'Delete',
  regenerateToken: 'Regenerate token',
};

const doneTitles: Readonly<Record<Change, string>> = {
  createSubscriber: 'Created',
  updateSubscriber: 'Edited',
  deleteSubscriber: 'Deleted',
  regenerateToken: 'Token regenerated',
};

/** What was done, or was meant to be done, in a word or two. */
export function entryTitle({ operation, outcome, undoOf }: JournalEntry): string {
  const title = outcome === 'done' ? doneTitles[operation] : operationNames[operation];
  return undoOf === null ? title : `${title} (undo)`;
}

export const outcomeNames = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
  unknown: 'Unknown',
} as const satisfies Record<JournalEntry['outcome'], string>;

/** Why something was not done, if the entry says so. */
export const whyNotDone = ({ code }: JournalEntry): string | null => code && problems[code][1];

/** What an edit changed, field by field: the old value struck through, the new one after it. */
export function ChangedFields({ entry }: { entry: Pick<JournalEntry, 'before' | 'after' | 'outcome'> }) {
  const { before, after, outcome } = entry;
  if (!before || !after) return null;
  const differences = differencesIn(before, after);
  if (differences.length === 0) return <>No changes</>;
  return (
    <ul className={styles.fields} data-done={outcome === 'done' || undefined}>
      {differences.map((difference) => (
        <ChangedField key={difference.name} {...difference} />
      ))}
    </ul>
  );
}

function ChangedField({ name, before, after }: Difference) {
  return (
    <li>
      {partLabels[name]} <del title={before ?? undefined}>{shorten(before)}</del>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden"> is now </span>
      <ins title={after ?? undefined}>{after === null ? 'new value' : shorten(after)}</ins>
    </li>
  );
}

/** Long notes and lists are cut after this many characters; hovering shows the whole text. */
const longest = 60;
const shorten = (text: string | null) =>
  text !== null && text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
