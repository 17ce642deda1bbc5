import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Job } from '../../contract/bff/job.ts';
import { List, useList, type Column } from '../api/list.tsx';
import { usePermission } from '../api/session.ts';
import { outcomeOf, titleOfJob, toChangeIn } from '../subscriber/job-words.ts';
import { buttonClass } from '../components/button.tsx';
import { grouped } from '../components/format.ts';
import { NarrowOnly } from '../components/data-table.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { PersonName } from '../components/badge.tsx';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { useBundles } from '../subscriber/bundles.ts';
import { jobsQuery, progressIn } from './jobs.ts';
import { changeWords, targetWords, startSentence, StateBadge } from './state.tsx';
import styles from './jobs.module.css';

const columns: readonly Column<Job>[] = [
  { label: 'Job', grey: 16, className: styles.job, isRowHeading: true, cell: (job) => <Title job={job} /> },
  { label: 'State', grey: 6, className: 'nowrap', cell: (job) => <StateBadge job={job} /> },
  { label: 'Subscribers', grey: 12, className: 'small', isWideOnly: true, cell: howFar },
  { label: 'Who', grey: 6, isWideOnly: true, cell: ({ staff }) => <PersonName person={staff} /> },
  {
    label: 'When',
    grey: 8,
    className: 'nowrap',
    isWideOnly: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

/** The jobs of everybody, newest first. */
export function JobsPage() {
  const { page = 1 } = useSearch({ from: '/app/jobs' });
  const navigate = useNavigate();
  const { allowed, reason } = usePermission('runJobs');
  const list = useList({ ...jobsQuery(page > 1 ? { page } : {}), enabled: allowed });
  const { data } = list;
  const turn = (next: number) =>
    void navigate({ to: '/jobs', search: next > 1 ? { page: next } : {}, resetScroll: false });
  return (
    <Page
      title="Jobs"
      barred={reason}
      count={data?.totalCount}
      aside={
        allowed && (
          <Link to="/jobs/import" className={buttonClass()}>
            Import…
          </Link>
        )
      }
    >
      <List
        list={list}
        what="the jobs"
        label="Jobs"
        columns={columns}
        keyOf={({ id }) => id}
        rows={data?.items}
        expected={6}
        empty={<Nothing all={data?.totalCount ?? 0} />}
        pager={data && data.totalCount > 0 && { shown: data, page, onTurn: turn }}
      />
    </Page>
  );
}

function Nothing({ all }: { all: number }) {
  if (all > 0)
    return (
      <EmptyState title="Nothing on this page" hint="The list got shorter, or the link is old.">
        <Link to="/jobs" className={buttonClass()}>
          Go to the first page
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState
      title="No jobs yet"
      hint="Select subscribers in the list, then extend, edit or delete them all at once."
    >
      <Link to="/subscribers" className={buttonClass({ variant: 'primary' })}>
        Go to subscribers
      </Link>
    </EmptyState>
  );
}

function Title({ job }: { job: Job }) {
  const statuses = useStatuses();
  const bundles = useBundles();
  const about = [...changeWords(job, bundles), targetWords(job, statuses, bundles)].filter(Boolean).join(' ');
  return (
    <>
      <Link to="/jobs/$id" params={{ id: job.id }}>
        {titleOfJob(job)}
      </Link>
      <small>{about}</small>
      {job.reason !== null && <small>“{job.reason}”</small>}
      <NarrowOnly>{howFar(job)}</NarrowOnly>
      <NarrowOnly>
        <PersonName person={job.staff} /> · <RelativeTime at={job.createdAt} />
      </NarrowOnly>
    </>
  );
}

function howFar(job: Job): string {
  if (job.state === 'preparing') return '';
  if (job.startsAt !== null) return startSentence(job.startsAt);
  if (job.startedAt === null && job.state === 'ready')
    return toChangeIn(job) > 0 ? 'Waits to be started' : 'Nothing to change';
  if (job.startedAt === null) return 'Nothing was changed';
  const { done, of } = progressIn(job);
  return job.state === 'running' ? `${grouped(done)} of ${grouped(of)}` : outcomeOf(job);
}
