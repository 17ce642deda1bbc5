import { useState } from 'react';
import type { ChangeEntry, RecordPart } from '../../contract/bff/journal.ts';
import { Button } from '../components/button.tsx';
import { Detail } from '../components/detail.tsx';
import { useBundles } from './bundles.ts';
import { partText } from './field-text.ts';
import { nameOfStatus, useStatuses } from './status-badge.tsx';
import { partLabels, partNames } from './subscriber-fields.ts';
import styles from './changes.module.css';

/** The effect of a deletion: the subscriber as it last was, in a few words and as a whole, and that it is deleted. */
export function DeletedFields({ entry }: { entry: Pick<ChangeEntry, 'before' | 'outcome'> }) {
  const [isOpen, setOpen] = useState(false);
  const statusText = useStatusText();
  const { before, outcome } = entry;
  // Nothing was taken away, or this person may not see it, or it was erased.
  if (!before || outcome !== 'done') return null;
  const expires = partText('expiresAt', before);
  const words = [before.email, expires && `expires ${expires}`, statusText(before)].filter(Boolean);
  return (
    <>
      <p className={styles.fields} data-done>
        <span>
          <del>{words.join(', ')}</del>
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> is now </span>
          <ins>deleted</ins>
        </span>
      </p>
      <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide last record' : 'Show last record'}
      </Button>
      {isOpen && <LastRecord record={before} />}
    </>
  );
}

/** Every field of a subscriber as it was before the deletion, the access token masked. */
export function LastRecord({ record }: { record: RecordPart }) {
  const statusText = useStatusText();
  const bundles = useBundles();
  return (
    <dl className="stack" aria-label="Last record">
      {partNames
        .filter((name) => record[name] !== undefined)
        .map((name) => (
          <Detail key={name} name={partLabels[name]}>
            <span className="multiline">
              {name === 'status' ? statusText(record) : partText(name, record, bundles)}
            </span>
          </Detail>
        ))}
    </dl>
  );
}

/** Writes the status of a record by its name, as far as the names are known. */
function useStatusText(): (record: RecordPart) => string | null {
  const statuses = useStatuses();
  return ({ status }) =>
    status === undefined ? null : (nameOfStatus(status, statuses) ?? `Status ${status}`);
}
