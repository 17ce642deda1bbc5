import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { toCsv } from '../../contract/bff/csv.ts';
import {
  kindOf,
  type ActivityQuery,
  type ActivityTotals,
  type JournalOperation,
} from '../../contract/bff/journal.ts';
import { activityTotalsQuery } from '../api/client.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { kindNames, personOf } from '../subscriber/journal-entry.tsx';
import { useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { DataTable } from '../components/data-table.tsx';
import { localDay } from '../components/exact-time.tsx';
import { nameOfPerson, PersonName } from '../components/person-name.tsx';
import { csvType, saveFile } from '../components/save-file.ts';
import styles from './totals.module.css';

type Counts = ActivityTotals['people'][number]['counts'];

const isOne = (wanted: JournalOperation) => (operation: JournalOperation) => operation === wanted;
const isOfKind = (kind: keyof typeof kindNames) => (operation: JournalOperation) =>
  kindOf(operation) === kind;

/** What is counted together. Only changes are made by jobs. */
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
type Column = (typeof columns)[number];

const sum = (
  counts: Counts,
  field: 'done' | 'byJobs' | 'notDone',
  has?: (operation: JournalOperation) => boolean,
) => counts.reduce((all, count) => (has?.(count.operation) === false ? all : all + count[field]), 0);

/** What each person did, for the filters of the page; loaded when somebody opens it. */
export function Totals({ query }: { query: ActivityQuery }) {
  const { page: _, pageSize: __, ...filter } = query;
  const now = useNow();
  const read = useQuery({ ...activityTotalsQuery(filter), placeholderData: keepPreviousData });
  const people = hasFailed(read) && read.isPlaceholderData ? undefined : read.data?.people;
  const everybody = people?.flatMap(({ counts }) => counts) ?? [];
  const shown = columns.filter(({ has }) => sum(everybody, 'done', has) > 0);
  const headings = [...shown.map(({ label }) => label), 'Not done'];
  return (
    <section className={styles.totals} aria-labelledby="totals">
      <div className={styles.head}>
        <h2 id="totals">Totals by person</h2>
        <Button
          reason={everybody.length === 0 ? 'There’s nothing to export.' : undefined}
          onClick={() =>
            saveFile(`activity-totals-${localDay(now)}.csv`, csvType, toCsv(exportRows(people ?? [])))
          }
        >
          Export totals
        </Button>
      </div>
      <p>For the filters above. Each change that a job made counts.</p>
      <ReadFailure what="the totals" read={read} inline />
      {people?.length === 0 && <p>Nobody did anything that matches these filters.</p>}
      {people?.length !== 0 && (people || !hasFailed(read)) && (
        <DataTable
          label="Totals by person"
          className={styles.table}
          columns={['Who', ...headings].map((label) => ({ name: label, label, grey: 6 }))}
          rows={people && [...people, ...(people.length > 1 ? [{ staff: null, counts: everybody }] : [])]}
          expected={3}
          isStale={read.isPlaceholderData}
          renderRow={({ staff, counts }) => (
            <tr key={staff?.id ?? ''}>
              <th scope="row">{staff ? <PersonName person={personOf({ staff })} /> : 'Everybody'}</th>
              {shown.map((column) => (
                <Cell key={column.label} column={column} counts={counts} />
              ))}
              <td data-label="Not done" data-none={sum(counts, 'notDone') === 0 || undefined}>
                {grouped(sum(counts, 'notDone'))}
              </td>
            </tr>
          )}
        />
      )}
    </section>
  );
}

function Cell({ column: { label, has }, counts }: { column: Column; counts: Counts }) {
  const [done, byJobs] = [sum(counts, 'done', has), sum(counts, 'byJobs', has)];
  return (
    <td data-label={label} data-none={done === 0 || undefined}>
      {grouped(done)}
      {byJobs > 0 && <small> {grouped(byJobs)} by jobs</small>}
    </td>
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
