import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ChangeEntry, JournalEntry, RecordPart } from '../../contract/bff/journal.ts';
import { usePermission } from '../api/session.ts';
import { activityQuery, PartOfJob } from './journal-entry.tsx';
import { UndoEntry, undoEffects } from './undo.tsx';
import { buttonClass, Button } from '../components/button.tsx';
import { nameOfPerson } from '../components/badge.tsx';
import { localTime } from '../components/format.ts';
import { Detail } from '../components/detail.tsx';
import { useBundles } from './bundles.ts';
import { nameOfStatus, useStatuses } from './status-badge.tsx';
import { partText, partLabels, partNames } from './subscriber-fields.ts';
import styles from './changes.module.css';

/**
 * Shown for a subscriber that does not exist. If it was deleted, it says who did that and when, shows its last record, and
 * can make it again.
 */
export function MissingSubscriber({ id }: { id: number }) {
  const deletions = { subscriberId: id, operation: 'deleteSubscriber', pageSize: 5 } as const;
  const { allowed, reason } = usePermission('seeDeletedSubscribers');
  const activity = useQuery({ ...activityQuery(deletions), enabled: allowed });
  const deletion = activity.data?.items.find(isDone);
  const isAllKnown = allowed ? !activity.isPending : reason !== undefined;
  return (
    <div className="stack">
      <div role="status">
        <h3>This subscriber doesn’t exist</h3>
        {deletion && <WhoDeleted entry={deletion} />}
        {!deletion && isAllKnown && <p className="muted">It may have been deleted, or the link is wrong.</p>}
      </div>
      {deletion && <Again entry={deletion} />}
      <p>
        <Link to="/subscribers" search={true} className={buttonClass()}>
          Back to the list
        </Link>
      </p>
      {deletion?.before && (
        <>
          <h4>Last record</h4>
          <LastRecord record={deletion.before} />
        </>
      )}
    </div>
  );
}

const isDone = (entry: JournalEntry): entry is ChangeEntry =>
  entry.kind === 'change' && entry.outcome === 'done';

function WhoDeleted({ entry }: { entry: ChangeEntry }) {
  return (
    <p className="muted">
      {nameOfPerson(entry.staff)} deleted {entry.username || 'this subscriber'} on{' '}
      {localTime(Date.parse(entry.at))}
      {entry.jobId !== null && ', '}
      <PartOfJob entry={entry} />.{entry.reason !== null && ` The reason was “${entry.reason}”.`}{' '}
      <Link to="/activity" search={{ subscriber: `#${entry.subscriberId}` }}>
        See the entry
      </Link>
    </p>
  );
}

/** The button that makes a deleted subscriber again, or where it is if that was done. */
function Again({ entry }: { entry: ChangeEntry }) {
  const { madeAgainAs: id } = entry;
  const link = useRef<HTMLAnchorElement>(null);
  const earlier = useRef(id);
  // The button disappears once its work is done, and would take the focus with it.
  useEffect(() => {
    if (earlier.current === null && document.activeElement === document.body) link.current?.focus();
    earlier.current = id;
  }, [id]);
  if (id !== null)
    return (
      <p className="muted">
        It was made again as{' '}
        <Link ref={link} to="/subscribers/$id" params={{ id }} search={true}>
          #{id}
        </Link>
        .
      </p>
    );
  // Its record was erased.
  if (entry.before === null) return null;
  return (
    <div className="row">
      <UndoEntry entry={entry} again />
      <p className="muted">{undoEffects.createSubscriber}</p>
    </div>
  );
}

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
function LastRecord({ record }: { record: RecordPart }) {
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
