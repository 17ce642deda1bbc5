import { Link } from '@tanstack/react-router';
import type { ChangeEntry, JournalEntry } from '../../contract/bff/journal.ts';
import { DeletedFields } from '../subscriber/deleted-record.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import {
  entryTitle,
  eventSentence,
  outcomeNames,
  personOf,
  whyNotDone,
} from '../subscriber/journal-entry.tsx';
import { PartOfJob } from '../subscriber/part-of-job.tsx';
import { UndoEntry } from '../subscriber/undo.tsx';
import { Badge } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Moment } from '../components/exact-time.tsx';
import { PersonName } from '../components/person-name.tsx';
import { localTime } from '../components/time.ts';
import { JobChanges } from './job-changes.tsx';
import styles from './activity-table.module.css';

const columns = [
  { name: 'when', label: 'When', grey: 8 },
  { name: 'who', label: 'Who', grey: 8 },
  { name: 'what', label: 'What', grey: 8 },
  { name: 'subscriber', label: 'Subscriber', grey: 8 },
  { name: 'change', label: 'Details', grey: 8 },
  { name: 'outcome', label: 'Outcome', grey: 8 },
  { name: 'actions', label: 'Actions', isLabelHidden: true },
];

/** One page of entries. */
export function ActivityTable(props: { entries: readonly JournalEntry[] | undefined; isStale: boolean }) {
  return (
    <DataTable
      label="Activity"
      className={styles.table}
      columns={columns}
      rows={props.entries}
      expected={8}
      isStale={props.isStale}
      renderRow={(entry, index) => (
        <Row key={entry.id} entry={entry} later={props.entries?.slice(0, index) ?? []} />
      )}
    />
  );
}

function Row({ entry, later }: { entry: JournalEntry; later: readonly JournalEntry[] }) {
  const { at, username, subscriberId: id, outcome } = entry;
  const change = entry.kind === 'change' ? entry : null;
  const time = Date.parse(at);
  return (
    <tr>
      <td className={styles.when}>
        <Moment at={time} past />
        <small aria-hidden="true">{localTime(time)}</small>
      </td>
      <td className={styles.who}>
        <PersonName person={personOf(entry)} />
      </td>
      <td className={styles.what}>
        {entryTitle(entry)}
        {change && change.undoneBy !== null && <small>undone</small>}
        {change && change.jobId !== null && (
          <small>
            <PartOfJob entry={entry} />
          </small>
        )}
      </td>
      <td className={styles.subscriber}>
        {id === null ? (
          username
        ) : (
          <Link to="/subscribers/$id" params={{ id }}>
            {username || `#${id}`}
          </Link>
        )}
      </td>
      <td className={styles.change}>
        {entry.kind === 'change' ? <Fields entry={entry} /> : eventSentence(entry)}
        {entry.kind === 'job' && entry.details.job && <JobChanges id={entry.details.job.id} />}
        {change && change.reason !== null && <p className={styles.reason}>“{change.reason}”</p>}
      </td>
      <td className={styles.outcome}>
        <Badge tone={tones[outcome]}>{outcomeNames[outcome]}</Badge>
        {whyNotDone(entry) && <small>{whyNotDone(entry)}</small>}
      </td>
      <td className={styles.actions}>{change && <UndoEntry entry={change} later={later} />}</td>
    </tr>
  );
}

function Fields({ entry }: { entry: ChangeEntry }) {
  return entry.operation === 'deleteSubscriber' ? (
    <DeletedFields entry={entry} />
  ) : (
    <ChangedFields entry={entry} />
  );
}

const tones = { done: 'ok', refused: 'warn', failed: 'bad', unknown: 'warn' } as const;
