import { useNavigate, useSearch } from '@tanstack/react-router';
import { rowInFile } from '../../contract/bff/import.ts';
import { rowResults, type Job, type JobRow, type RowResult } from '../../contract/bff/job.ts';
import type { RecordPart } from '../../contract/bff/journal.ts';
import { jobRowsQuery, useLeaveOut } from './jobs.ts';
import { warningName } from './preview.tsx';
import { List, useList, type Column } from '../api/list.tsx';
import { resultName, rowReason } from '../subscriber/job-words.ts';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { useLeavesFocus } from '../components/app-context.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { grouped, dayOf } from '../components/format.ts';
import { EmptyState } from '../components/page.tsx';
import { AboutWhom } from '../subscriber/journal-entry.tsx';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { SaveMessages } from './messages-dialog.tsx';
import { SaveRows } from './save-rows.tsx';
import styles from './rows-table.module.css';

const pageSize = 20;

const columnsOf = (job: Job): Column<JobRow>[] => [
  {
    label: 'Subscriber',
    grey: 9,
    className: styles.subscriber,
    isRowHeading: true,
    cell: (row) => <RowSubscriber row={row} job={job} />,
  },
  {
    label: 'Change',
    grey: 16,
    className: styles.change,
    cell: (row) => <WhatChanges row={row} job={job} />,
  },
  {
    label: 'Result',
    grey: 7,
    className: styles.result,
    cell: (row) => (
      <>
        <Badge tone={tones[row.result]}>{resultName(row.result, job)}</Badge>
        {job.state === 'ready' && <LeaveOutRow row={row} job={job} />}
      </>
    ),
  },
];

/** Leaves a subscriber out of a job that is not started, or takes one in again. */
function LeaveOutRow({ row: { number, result, username }, job }: { row: JobRow; job: Job }) {
  const { busy, leave } = useLeaveOut(job);
  const leavesFocus = useLeavesFocus(buttonOfNextRow);
  // A scheduled job takes in nobody more than those whom somebody confirmed.
  if (result !== 'change' && (result !== 'left-out' || job.startsAt !== null)) return null;
  const leaveOut = result === 'change';
  const verb = leaveOut ? 'Leave out' : 'Take in';
  return (
    <Button
      small
      variant="quiet"
      ref={leavesFocus}
      aria-label={`${verb} ${username}`}
      busy={busy}
      onClick={() => leave({ leaveOut, rows: { numbers: [number] } })}
    >
      {verb}
    </Button>
  );
}

/** The last button of the next row, to go on there when a button disappears with its row. */
function buttonOfNextRow(button: HTMLElement): HTMLElement | undefined {
  const row = button.closest('tr');
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelectorAll('button');
  return [...(next ?? [])].at(-1);
}

/** The subscribers of a job, by result, each with what is to become or has become of it. */
export function RowsTable({ job }: { job: Job }) {
  const { result, warning, page, show } = useRowsAddress(job);
  const filters = { ...(result !== null && { result }), ...(warning !== undefined && { warning }) };
  const list = useList(jobRowsQuery(job.id, { page, pageSize, ...filters }));
  const statuses = useStatuses();
  const rows = list.data;
  const all = Object.values(job.counts).reduce((sum, count) => sum + count, 0);
  return (
    <section className="stack" aria-label="Subscribers of this job">
      <div className="row">
        <div role="group" aria-label="Result" className={`row ${styles.results}`}>
          {choicesOf(job.counts, result, warning !== undefined).map((name) => (
            <Button
              key={name}
              small
              variant="quiet"
              aria-pressed={name === result && warning === undefined}
              onClick={() => show({ result: name })}
            >
              {name === null ? 'All' : resultName(name, job)}{' '}
              {grouped(name === null ? all : job.counts[name])}
            </Button>
          ))}
          {warning !== undefined && (
            <Button small variant="quiet" aria-pressed onClick={() => show({ result })}>
              {warningName(warning, statuses)}
            </Button>
          )}
        </div>
        {hasErrors(job) && <SaveRows job={job} result="errors" />}
        {job.startedAt !== null && <SaveRows job={job} result={result} />}
        <SaveMessages job={job} />
      </div>
      <List
        list={list}
        what="the subscribers of this job"
        label="Subscribers of this job"
        className={styles.table}
        hasCards
        columns={columnsOf(job)}
        keyOf={({ number }) => number}
        rows={rows?.items}
        expected={8}
        empty={
          <EmptyState title={warning === undefined ? 'Nothing on this page' : 'None of these will change'} />
        }
        pager={
          rows &&
          rows.totalPages > 1 && {
            shown: rows,
            page,
            onTurn: (next) => show({ result, warning, page: next }),
          }
        }
      />
    </section>
  );
}

/** The results that some have, and the one that is shown; null is all. Nothing where there is nothing to choose. */
function choicesOf(counts: Job['counts'], shown: RowResult | null, isWarned: boolean): (RowResult | null)[] {
  const some = rowResults.filter((name) => counts[name] > 0 || name === shown);
  if (some.length > 1) return [...some, null];
  // The way back from those that a warning is about.
  return isWarned ? some : [];
}

/** True if rows of a file could not be read. */
const hasErrors = ({ file, preview }: Job) =>
  file !== null && preview !== null && preview.others.some(({ why }) => why === 'invalid-input');

/** The result and the page in the address. A preview begins with those that are to change. */
function useRowsAddress(job: Job) {
  const search = useSearch({ from: '/app/jobs/$id' });
  const navigate = useNavigate();
  const usual: RowResult | null = job.startedAt === null && job.counts.change > 0 ? 'change' : null;
  const known = rowResults.find((name) => name === search.result) ?? null;
  const result = search.result === 'all' ? null : (known ?? usual);
  return {
    result,
    warning: search.warning,
    page: search.page ?? 1,
    show: (next: { result: RowResult | null; warning?: string | undefined; page?: number }) =>
      void navigate({
        to: '/jobs/$id',
        params: { id: job.id },
        search: {
          ...(next.result !== usual && { result: next.result ?? 'all' }),
          ...(next.warning !== undefined && { warning: next.warning }),
          ...(next.page !== undefined && next.page > 1 && { page: next.page }),
        },
        resetScroll: false,
      }),
  };
}

function RowSubscriber({ row, job }: { row: JobRow; job: Job }) {
  const { subscriberId: id, username, result } = row;
  const isDeleted = (result === 'done' && isDeletion(row, job)) || row.why === 'no-such-subscriber';
  const name = username || (id > 0 ? `#${id}` : '');
  return (
    <>
      <AboutWhom entry={{ subscriberId: id > 0 && !isDeleted ? id : null, username: name }} />
      {job.file && <small>Row {grouped(rowInFile(row.number, job.file.format))}</small>}
    </>
  );
}

const tones: Readonly<Record<RowResult, Tone>> = {
  change: 'neutral',
  'left-out': 'neutral',
  unchanged: 'neutral',
  skipped: 'warn',
  done: 'ok',
  failed: 'bad',
  unconfirmed: 'warn',
};

const isDeletion = ({ before, after }: JobRow, { kind }: Job) =>
  kind === 'delete' || (kind === 'undo' && before !== null && after === null);

function WhatChanges({ row, job }: { row: JobRow; job: Job }) {
  const why = rowReason(row);
  if (why !== null) return <p className="muted">{why}</p>;
  const { before, after, result } = row;
  if (before && after)
    return (
      <>
        <ChangedFields entry={{ before, after, outcome: result === 'done' ? 'done' : 'unknown' }} />
        {row.detail !== null && <p className="muted">{row.detail}</p>}
      </>
    );
  if (job.kind === 'regenerate')
    return <>{result === 'done' ? 'Has a new access token' : 'Gets a new access token'}</>;
  if (after && job.kind === 'import')
    return (
      <>
        <strong>New</strong> · <span className="muted">{recordWords(after)}</span>
      </>
    );
  if (after)
    return <>{result === 'done' ? 'Created again' : 'Is created again'}, with a new ID and access token</>;
  return (
    <>
      {job.kind === 'undo' && <>{result === 'done' ? 'Deleted' : 'Is deleted'} · </>}
      <span className="muted">{recordWords(before ?? {})}</span>
    </>
  );
}

/** "anna@example.com · expires 1 Jul 2027". */
const recordWords = ({ email, expiresAt }: RecordPart) =>
  [email, expiresAt !== undefined && `expires ${dayOf(Date.parse(expiresAt))}`].filter(Boolean).join(' · ');
