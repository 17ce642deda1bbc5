import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Job } from '../../contract/bff/job.ts';
import { isNotFound } from '../api/errors.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { titleOfJob } from '../subscriber/job-words.ts';
import { buttonClass } from '../components/button.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Page } from '../components/page.tsx';
import { PersonName } from '../components/badge.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { useBundles } from '../subscriber/bundles.ts';
import { JobPanel } from './job-panel.tsx';
import { jobQuery, progressIn } from './jobs.ts';
import { RowsTable } from './rows-table.tsx';
import { changeWords, targetWords, sayState, StateBadge } from './state.tsx';

/** One job: what it would change, how far it is, and what became of each subscriber. */
export function JobPage() {
  const { id } = useParams({ from: '/app/jobs/$id' });
  const { allowed, reason } = usePermission('runJobs');
  const read = useQuery({ ...jobQuery(id), enabled: allowed });
  const job = read.data;
  if (isNotFound(read.error)) return <NoSuchJob />;
  return (
    <Page
      title={job ? titleOfJob(job) : 'Job'}
      windowTitle={job ? browserTitle(job) : 'Job'}
      aside={job && <StateBadge job={job} />}
      barred={reason}
    >
      <ReadFailure what="the job" read={read} />
      {job ? <About job={job} /> : allowed && read.isPending && <Skeleton width={40} />}
      <p role="status" className="visually-hidden">
        {job && sayState(job)}
      </p>
      {job && (
        <>
          <JobPanel job={job} />
          {job.preview && <RowsTable job={job} />}
        </>
      )}
    </Page>
  );
}

function NoSuchJob() {
  return (
    <Page title="Job not found">
      <p>It may have been deleted because of its age, or the link is mistyped.</p>
      <div>
        <Link to="/jobs" className={buttonClass()}>
          Go to jobs
        </Link>
      </div>
    </Page>
  );
}

/** The job's changes, its subscribers, its author and the reason. */
function About({ job }: { job: Job }) {
  const statuses = useStatuses();
  const bundles = useBundles();
  const words = changeWords(job, bundles);
  return (
    <div className="breaks">
      {words.length > 0 && <p>{words.join(' ')}</p>}
      <p className="aside">
        {job.targets && 'job' in job.targets ? (
          <>
            For subscribers of{' '}
            <Link to="/jobs/$id" params={{ id: job.targets.job }}>
              another job
            </Link>
          </>
        ) : job.undoOf === null ? (
          targetWords(job, statuses, bundles)
        ) : (
          <>
            Undoes{' '}
            <Link to="/jobs/$id" params={{ id: job.undoOf }}>
              this job
            </Link>
          </>
        )}
        {' · by '}
        <PersonName person={job.staff} />
        {' · '}
        <RelativeTime at={job.createdAt} />
        {job.reason !== null && ` · “${job.reason}”`}
      </p>
    </div>
  );
}

/** With the progress first, because tabs are narrow. */
function browserTitle(job: Job): string {
  const { done, of } = progressIn(job);
  const isShown = (job.state === 'running' || job.state === 'paused') && of > 0;
  return `${isShown ? `${Math.floor((100 * done) / of)} % · ` : ''}${titleOfJob(job)}`;
}
