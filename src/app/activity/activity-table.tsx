import { Link } from '@tanstack/react-router';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { ChangedFields, entryTitle, outcomeNames, whyNotDone } from '../changes/journal-entry.tsx';
import { UndoEntry } from '../changes/undo.tsx';
import { Badge } from '../components/badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { localTime } from '../components/time.ts';
import styles from './activity-table.module.css';

const headings = ['When', 'Who', 'What', 'Subscriber', 'Before → after', 'Outcome'] as const;

/** One page of the journal; grey rows until it is there, and dimmed while another one comes. */
export function ActivityTable({
  entries,
  old,
}: {
  entries: readonly JournalEntry[] | undefined;
  old: boolean;
}) {
  return (
    <div className={styles.frame} data-old={old || undefined}>
      <table className={styles.table} aria-label="Activity" aria-busy={!entries || old}>
        <thead>
          <tr>
            {headings.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries
            ? entries.map((entry) => <Row key={entry.id} entry={entry} />)
            : Array.from({ length: 8 }, (_, place) => <SkeletonRow key={place} />)}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry }: { entry: JournalEntry }) {
  const { at, staff, username, subscriberId: id, outcome, reason, undoneBy } = entry;
  const time = Date.parse(at);
  return (
    <tr>
      <td className={styles.when}>
        <Moment at={time} past />
        <small aria-hidden="true">{localTime(time)}</small>
      </td>
      <td className={styles.who}>{staff.name}</td>
      <td className={styles.what}>
        {entryTitle(entry)}
        {undoneBy !== null && <small>undone since</small>}
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
        <ChangedFields entry={entry} />
        {reason !== null && <p className={styles.reason}>“{reason}”</p>}
      </td>
      <td className={styles.outcome}>
        <Badge tone={tones[outcome]}>{outcomeNames[outcome]}</Badge>
        {whyNotDone(entry) && <small>{whyNotDone(entry)}</small>}
      </td>
      <td className={styles.actions}>
        <UndoEntry entry={entry} />
      </td>
    </tr>
  );
}

const tones = { done: 'ok', refused: 'warn', failed: 'bad', unknown: 'warn' } as const;

function SkeletonRow() {
  return (
    <tr>
      {headings.map((name) => (
        <td key={name}>
          <Skeleton width={10} />
        </td>
      ))}
      <td />
    </tr>
  );
}
