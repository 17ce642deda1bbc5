import type { JournalEntry } from '../../contract/bff/journal.ts';
import { activityQuery } from '../subscriber/activity-queries.ts';
import { List, useList, type Column } from '../api/list.tsx';
import { usePermission, useSession } from '../api/session.ts';
import { useNow } from '../components/app-context.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { counted } from '../components/count.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Page } from '../components/page.tsx';
import { PersonName } from '../components/person-name.tsx';
import { localTime } from '../components/time.ts';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { DeletedFields } from '../subscriber/deleted-record.tsx';
import {
  entryTitle,
  eventSentence,
  outcomeNames,
  personOf,
  refusalOf,
} from '../subscriber/journal-entry.tsx';
import { AboutWhom, PartOfJob } from '../subscriber/part-of-job.tsx';
import { UndoEntry } from '../subscriber/undo.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { hasActivityFilter, subscriberIdIn, toActivityQuery, useActivityAddress } from './address.ts';
import { ExportButton } from './export.tsx';
import { JobChanges } from './job-changes.tsx';
import { Totals } from './totals.tsx';
import styles from './activity-page.module.css';

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
