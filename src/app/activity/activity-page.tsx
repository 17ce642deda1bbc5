import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { JournalEntry } from '../../contract/bff/journal.ts';
import { type Column, List, useList } from '../api/list.tsx';
import { usePermission, useSession } from '../api/session.ts';
import { useNow } from '../components/app-context.ts';
import { Badge, PersonName } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { counted, localTime } from '../components/format.ts';
import { RelativeTime } from '../components/exact-time.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { DeletedFields } from '../subscriber/missing-subscriber.tsx';
import {
  activityQuery,
  entryTitle,
  eventSentence,
  outcomeNames,
  outcomeText,
  personOf,
  refusalOf,
  AboutWhom,
  PartOfJob,
} from '../subscriber/journal-entry.tsx';
import { UndoEntry } from '../subscriber/undo.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { hasActivityFilter, subscriberIdIn, toActivityQuery, useActivityAddress } from './address.ts';
import { ExportButton } from './export.tsx';
import { Totals } from './totals.tsx';
import styles from './activity-page.module.css';
import { ReadFailure } from '../api/read-failure.tsx';
import { Pager } from '../components/pager.tsx';
import { Skeleton } from '../components/data-table.tsx';

/** The journal: changes and events, with their authors and times. */
export function ActivityPage() {
  const { address, clear, turnTo, showTotals } = useActivityAddress();
  const all = usePermission('seeAllActivity');
  const totals = all.allowed && address.totals === true;
  const query = toActivityQuery(address, useNow());
  const list = useList(activityQuery(query));
  const { data } = list;
  return (
    <Page
      title="Activity"
      count={data?.totalCount}
      aside={
        <>
          {all.allowed && (
            <Button aria-expanded={totals} onClick={() => showTotals(!totals)}>
              Totals
            </Button>
          )}
          <ExportButton query={query} empty={data?.totalCount === 0} />
        </>
      }
    >
      <Scope subscriber={subscriberIdIn(address)} />
      <ActivityFilters />
      {totals && <Totals query={query} />}
      <p role="status" className="visually-hidden">
        {data && !list.isStale && counted(data.totalCount, 'entry', 'entries')}
      </p>
      <List
        list={list}
        what="the activity"
        label="Activity"
        className={styles.table}
        hasCards
        columns={columns}
        keyOf={({ id }) => id}
        rows={data?.items}
        expected={8}
        empty={
          <EmptyState title={nothing(hasActivityFilter(address), data?.totalCount ?? 0)}>
            {hasActivityFilter(address) && <Button onClick={clear}>Clear filters</Button>}
          </EmptyState>
        }
        pager={data && { shown: data, page: address.page ?? 1, onTurn: turnTo }}
      />
    </Page>
  );
}

/** Name of the person whose entries are shown, for users who do not see everyone's. */
function Scope({ subscriber }: { subscriber: number | undefined }) {
  const session = useSession();
  const { allowed } = usePermission('seeAllActivity');
  if (!session || allowed) return null;
  return (
    <p className="muted">
      {subscriber === undefined
        ? 'You see only your own changes here. To see everyone’s, open a subscriber.'
        : 'You see everyone’s changes to this subscriber.'}
    </p>
  );
}

function nothing(filtered: boolean, all: number): string {
  if (all > 0) return 'Nothing on this page';
  return filtered ? 'No activity matches these filters' : 'No activity yet';
}

const tones = { done: 'ok', refused: 'warn', failed: 'bad', unknown: 'warn' } as const;

const columns: Column<JournalEntry>[] = [
  {
    label: 'When',
    grey: 8,
    className: styles.when,
    cell: ({ at }) => (
      <>
        <RelativeTime at={at} />
        <small aria-hidden="true">{localTime(Date.parse(at))}</small>
      </>
    ),
  },
  {
    label: 'Who',
    grey: 8,
    className: styles.who,
    cell: (entry) => <PersonName person={personOf(entry)} />,
  },
  {
    label: 'What',
    grey: 8,
    className: styles.what,
    cell: (entry) => (
      <>
        {entryTitle(entry)}
        {entry.kind === 'change' && entry.undoneBy !== null && <small>undone</small>}
        {entry.kind === 'change' && entry.jobId !== null && (
          <small>
            <PartOfJob entry={entry} />
          </small>
        )}
      </>
    ),
  },
  {
    label: 'Subscriber',
    grey: 8,
    className: styles.subscriber,
    cell: (entry) => <AboutWhom entry={entry} />,
  },
  { label: 'Details', grey: 8, className: styles.details, cell: (entry) => <Details entry={entry} /> },
  {
    label: 'Outcome',
    grey: 8,
    className: styles.outcome,
    cell: (entry) => (
      <>
        <Badge tone={tones[entry.outcome]}>{outcomeNames[entry.outcome]}</Badge>
        {refusalOf(entry) && <small>{refusalOf(entry)}</small>}
      </>
    ),
  },
  {
    label: 'Actions',
    isLabelHidden: true,
    className: styles.actions,
    cell: (entry) => entry.kind === 'change' && <UndoEntry entry={entry} />,
  },
];

function Details({ entry }: { entry: JournalEntry }) {
  if (entry.kind === 'job')
    return (
      <>
        {eventSentence(entry)}
        {entry.details.job && <JobChanges id={entry.details.job.id} />}
      </>
    );
  if (entry.kind !== 'change') return eventSentence(entry);
  const Fields = entry.operation === 'deleteSubscriber' ? DeletedFields : ChangedFields;
  return (
    <>
      <Fields entry={entry} />
      {entry.reason !== null && <p className="muted">“{entry.reason}”</p>}
    </>
  );
}

/** The changes that a job made, loaded when somebody unfolds its entry, and a link to the job. */
function JobChanges({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { allowed } = usePermission('runJobs');
  return (
    <div className={`stack ${styles.job}`}>
      <div className="row">
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide changes' : 'Show changes'}
        </Button>
        {allowed && (
          <Link to="/jobs/$id" params={{ id }}>
            Open the job
          </Link>
        )}
      </div>
      {isOpen && <Changes id={id} />}
    </div>
  );
}

function Changes({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const { data, read, hasFailed } = useList(activityQuery({ job: id, page, pageSize: 10 }));
  return (
    <>
      {!data && !hasFailed && <Skeleton width={24} />}
      <ReadFailure what="the changes" read={read} inline />
      {data?.items.length === 0 && <p>No changes yet</p>}
      {data && data.items.length > 0 && (
        <ul className={styles.changes} aria-label="Changes of this job">
          {data.items.map((entry) => (
            <Change key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && data.totalPages > 1 && <Pager shown={data} page={page} onTurn={setPage} />}
    </>
  );
}

function Change({ entry }: { entry: JournalEntry }) {
  const { outcome } = entry;
  return (
    <li>
      <AboutWhom entry={entry} /> {entryTitle(entry)}
      {entry.kind === 'change' && entry.operation === 'updateSubscriber' && <ChangedFields entry={entry} />}
      {entry.kind === 'change' && entry.operation === 'deleteSubscriber' && <DeletedFields entry={entry} />}
      {outcome !== 'done' && <p>{outcomeText(entry)}</p>}
    </li>
  );
}
