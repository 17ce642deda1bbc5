import { toCsv } from '../../contract/bff/csv.ts';
import {
  kindOf,
  type ActivityQuery,
  type ActivityTotals,
  type JournalOperation,
} from '../../contract/bff/journal.ts';
import { List, useList, type Column } from '../api/list.tsx';
import { activityTotalsQuery, kindNames, personOf } from '../subscriber/journal-entry.tsx';
import { useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { nameOfPerson, PersonName } from '../components/badge.tsx';
import { csvType, saveFile } from '../api/files.tsx';
import styles from './totals.module.css';

type PersonTotals = ActivityTotals['people'][number];
type Counts = PersonTotals['counts'];
/** Numbers of one person, or of everybody. */
type Row = Omit<PersonTotals, 'staff'> & { staff: PersonTotals['staff'] | null };

const isOne = (name: JournalOperation) => (operation: JournalOperation) => operation === name;
const isOfKind = (kind: keyof typeof kindNames) => (operation: JournalOperation) =>
  kindOf(operation) === kind;

/** Operations that are counted together. Only changes are made by jobs. */
const columns = [
  { label: 'Created', has: isOne('createSubscriber'), byJobs: true },
  { label: 'Edited', has: isOne('updateSubscriber'), byJobs: true },
  { label: 'Deleted', has: isOne('deleteSubscriber'), byJobs: true },
  { label: 'Tokens regenerated', has: isOne('regenerateToken'), byJobs: true },
  { label: kindNames.data, has: isOfKind('data'), byJobs: false },
  { label: kindNames.job, has: isOfKind('job'), byJobs: false },
  { label: kindNames.staff, has: isOfKind('staff'), byJobs: false },
  { label: kindNames['sign-in'], has: isOfKind('sign-in'), byJobs: false },
] as const;

const sum = (
  counts: Counts,
  field: 'done' | 'byJobs' | 'notDone',
  has?: (operation: JournalOperation) => boolean,
) => counts.reduce((all, count) => (has?.(count.operation) === false ? all : all + count[field]), 0);

/** Numbers of each person's changes, for the filters of the page; loaded when somebody opens it. */
export function Totals({ query }: { query: ActivityQuery }) {
  const { page: _, pageSize: __, ...filter } = query;
  const now = useNow();
  const list = useList(activityTotalsQuery(filter));
  const people = list.data?.people;
  const everybody = people?.flatMap(({ counts }) => counts) ?? [];
  const shown = columns.filter(({ has }) => sum(everybody, 'done', has) > 0);
  return (
    <section className="stack" aria-labelledby="totals">
      <div className="row ends">
        <h2 id="totals">Totals by person</h2>
        <Button
          reason={
            list.isStale ? 'Loading…' : everybody.length === 0 ? 'There’s nothing to export.' : undefined
          }
          onClick={() =>
            saveFile(`activity-totals-${localDay(now)}.csv`, csvType, toCsv(exportRows(people ?? [])))
          }
        >
          Export totals
        </Button>
      </div>
      <p className="muted">For the filters above. Each change that a job made counts.</p>
      <List
        list={list}
        what="the totals"
        label="Totals by person"
        className={styles.table}
        hasCards
        columns={[whoColumn, ...shown.map(columnOf), notDoneColumn]}
        keyOf={({ staff }) => staff?.id ?? ''}
        rows={people && [...people, ...(people.length > 1 ? [{ staff: null, counts: everybody }] : [])]}
        expected={3}
        empty={<p className="muted">Nobody did anything that matches these filters.</p>}
      />
    </section>
  );
}

const whoColumn: Column<Row> = {
  label: 'Who',
  grey: 6,
  isRowHeading: true,
  cell: ({ staff }) => (staff ? <PersonName person={personOf({ staff })} /> : 'Everybody'),
};

const columnOf = ({ label, has }: (typeof columns)[number]): Column<Row> => ({
  label,
  grey: 6,
  cell: ({ counts }) => <Count done={sum(counts, 'done', has)} byJobs={sum(counts, 'byJobs', has)} />,
});

const notDoneColumn: Column<Row> = {
  label: 'Not done',
  grey: 6,
  cell: ({ counts }) => <Count done={sum(counts, 'notDone')} />,
};

function Count({ done, byJobs = 0 }: { done: number; byJobs?: number }) {
  return (
    <>
      <span className={done === 0 ? 'muted' : undefined} data-none={done === 0 || undefined}>
        {grouped(done)}
      </span>
      {byJobs > 0 && <small> {grouped(byJobs)} by jobs</small>}
    </>
  );
}

/** All columns, also those without a count, so that files of different periods fit together. */
function exportRows(people: ActivityTotals['people']): string[][] {
  const headings = columns.flatMap(({ label, byJobs }) => [label, ...(byJobs ? [`${label} by jobs`] : [])]);
  const cells = (counts: Counts) =>
    columns.flatMap(({ has, byJobs }) => [
      sum(counts, 'done', has),
      ...(byJobs ? [sum(counts, 'byJobs', has)] : []),
    ]);
  return [
    ['Who', 'Account ID', ...headings, 'Not done'],
    ...people.map(({ staff, counts }) => [
      nameOfPerson(personOf({ staff })),
      staff.id,
      ...[...cells(counts), sum(counts, 'notDone')].map(String),
    ]),
  ];
}
