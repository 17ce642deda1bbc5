import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Job } from '../../contract/bff/job.ts';
import { jobsQuery } from '../api/jobs.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { outcomeOf, titleOfJob } from '../subscriber/job-words.ts';
import { buttonClass } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Moment } from '../components/exact-time.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Pager } from '../components/pager.tsx';
import { PersonName } from '../components/person-name.tsx';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { changeWords, targetWords } from './descriptions.ts';
import { progressIn } from './progress.tsx';
import { StateBadge } from './state.tsx';
import layout from '../components/page.module.css';
import styles from './jobs-page.module.css';

const columns = [
  { name: 'job', label: 'Job', grey: 16 },
  { name: 'state', label: 'State', grey: 6 },
  { name: 'outcome', label: 'Subscribers', grey: 12, className: styles.outcome },
  { name: 'who', label: 'Who', grey: 6, className: styles.who },
  { name: 'when', label: 'When', grey: 8, className: styles.when },
];

/** The jobs of everybody, newest first. */
export function JobsPage() {
  const { page = 1 } = useSearch({ from: '/app/jobs' });
  const navigate = useNavigate();
  const { allowed, reason } = usePermission('runJobs');
  const read = useQuery({ ...jobsQuery(page > 1 ? { page } : {}), enabled: allowed });
  const data = hasFailed(read) && read.isPlaceholderData ? undefined : read.data;
  return (
    <div className={layout.screen}>
      <title>Jobs · Subscriber Desk</title>
      <div className={layout.head}>
        <PageHeading>
          Jobs <span className={layout.count}>{data && grouped(data.totalCount)}</span>
        </PageHeading>
        {allowed && (
          <Link to="/jobs/import" className={buttonClass()}>
            Import…
          </Link>
        )}
      </div>
      {reason && <Notice tone="warn">{reason}</Notice>}
      <ReadFailure what="the jobs" read={read} />
      {data?.items.length === 0 ? (
        <Nothing all={data.totalCount} />
      ) : (
        allowed &&
        (data || !hasFailed(read)) && (
          <DataTable
            label="Jobs"
            className={styles.table}
            columns={columns}
            rows={data?.items}
            expected={6}
            isStale={read.isPlaceholderData}
            renderRow={(job) => <Row key={job.id} job={job} />}
          />
        )
      )}
      {data && data.totalCount > 0 && (
        <Pager
          shown={data}
          page={page}
          onTurn={(next) =>
            void navigate({ to: '/jobs', search: next > 1 ? { page: next } : {}, resetScroll: false })
          }
        />
      )}
    </div>
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
      <Link to="/subscribers" className={buttonClass({ look: 'primary' })}>
        Go to subscribers
      </Link>
    </EmptyState>
  );
}

function Row({ job }: { job: Job }) {
  const statuses = useStatuses();
  const about = [...changeWords(job), targetWords(job, statuses)].filter(Boolean).join(' ');
  return (
    <tr>
      <th scope="row" className={styles.job}>
        <Link to="/jobs/$id" params={{ id: job.id }}>
          {titleOfJob(job)}
        </Link>
        <small>{about}</small>
        {job.reason !== null && <small>“{job.reason}”</small>}
        <small className={styles.below}>{howFar(job)}</small>
        <small className={styles.below}>
          <PersonName person={job.staff} /> · <Moment at={Date.parse(job.createdAt)} past />
        </small>
      </th>
      <td className={styles.state}>
        <StateBadge job={job} />
      </td>
      <td className={styles.outcome}>{howFar(job)}</td>
      <td className={styles.who}>
        <PersonName person={job.staff} />
      </td>
      <td className={styles.when}>
        <Moment at={Date.parse(job.createdAt)} past />
      </td>
    </tr>
  );
}

function howFar(job: Job): string {
  if (job.state === 'preparing') return '';
  if (job.startedAt === null) return job.state === 'ready' ? 'Waits to be started' : 'Nothing was changed';
  const { done, of } = progressIn(job);
  return job.state === 'running' ? `${grouped(done)} of ${grouped(of)}` : outcomeOf(job);
}
