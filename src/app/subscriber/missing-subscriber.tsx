import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ChangeEntry, JournalEntry } from '../../contract/bff/journal.ts';
import { activityQuery } from './activity-queries.ts';
import { usePermission } from '../api/session.ts';
import { LastRecord } from './deleted-record.tsx';
import { PartOfJob } from './part-of-job.tsx';
import { UndoEntry } from './undo.tsx';
import { undoEffects } from './undo-note.tsx';
import { buttonClass } from '../components/button.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { localTime } from '../components/time.ts';

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
