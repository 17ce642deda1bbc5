import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { entryTitle, outcomeText, personOf, PartOfJob } from '../subscriber/journal-entry.tsx';
import { UndoEntry } from '../subscriber/undo.tsx';
import { counted } from '../components/count.ts';
import { RelativeTime } from '../components/exact-time.tsx';
import { PersonName } from '../components/person-name.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { newestEntries, paneActivityQuery } from '../subscriber/others.tsx';
import { Section } from './section.tsx';
import styles from './activity.module.css';

/** The last changes of a subscriber, newest first; loaded after the record. */
export function Activity({ id, complete }: { id: number; complete: boolean }) {
  const activity = useQuery({
    ...paneActivityQuery(id),
    enabled: complete,
  });
  const { data } = activity;
  return (
    <Section name="Activity" busy={activity.isPending}>
      {activity.isPending && !hasFailed(activity) && <Skeleton width={24} />}
      <ReadFailure what="the activity" read={activity} inline />
      {data?.items.length === 0 && <p className="aside">No changes yet</p>}
      {data && data.items.length > 0 && (
        <ul className="stack">
          {data.items.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && data.totalCount > newestEntries && (
        <p className="aside">
          <Link to="/activity" search={{ subscriber: `#${id}` }}>
            Show all {counted(data.totalCount, 'entry', 'entries')}
          </Link>
        </p>
      )}
    </Section>
  );
}

function Entry({ entry }: { entry: JournalEntry }) {
  const change = entry.kind === 'change' ? entry : null;
  const isEdit = change?.operation === 'updateSubscriber';
  const isPlainEdit = isEdit && change.outcome === 'done' && change.undoOf === null;
  return (
    <li className={styles.entry}>
      <span className="muted">
        <RelativeTime at={entry.at} />
      </span>
      <div className="breaks">
        {!isPlainEdit && <span>{entryTitle(entry)} </span>}
        {isEdit && <ChangedFields entry={change} />}
        <span className="aside">
          by <PersonName person={personOf(entry)} />
          {change && change.undoneBy !== null && ' · undone'}
          {change && change.jobId !== null && ' · '}
          <PartOfJob entry={entry} />
        </span>
        {entry.outcome !== 'done' && <p className="aside">{outcomeText(entry)}</p>}
        {change && change.reason !== null && <p className="aside">“{change.reason}”</p>}
      </div>
      {change && <UndoEntry entry={change} />}
    </li>
  );
}
