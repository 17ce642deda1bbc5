import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Job } from '../../contract/bff/job.ts';
import { isAtWork, isWatched, jobsQuery, unwatchJob } from '../bulk/jobs.ts';
import { useSession } from '../api/session.ts';
import { outcomeOf, titleOfJob } from '../subscriber/job-words.ts';
import { useApp } from '../components/app-context.ts';
import { counted, grouped } from '../components/format.ts';
import styles from './layout.module.css';

/**
 * Number of running jobs, beside the link to them, and a toast when one ends that was started in this browser. It is
 * mounted while a job is known of; it asks again only while one is at work.
 */
export function RunningJobs() {
  const jobs = useQuery(jobsQuery({})).data?.items;
  const tell = useJobToast();
  useEffect(() => jobs?.filter(({ id }) => isWatched(id)).forEach(tell));
  const running = jobs?.filter((job) => job.startedAt !== null && isAtWork(job)).length ?? 0;
  if (running === 0) return null;
  return (
    <b className={styles.running}>
      <span aria-hidden="true">{grouped(running)}</span>
      <span className="visually-hidden">, {counted(running, 'job')} running</span>
    </b>
  );
}

/** Says how a job ended, unless that is on the screen. */
function useJobToast() {
  const { toasts } = useApp();
  const navigate = useNavigate();
  const { history } = useRouter();
  const own = useSession()?.staff.id;
  return (job: Job) => {
    if (own === undefined || job.startedAt === null || isAtWork(job)) return;
    unwatchJob(job.id);
    const isShown = history.location.pathname === `/jobs/${job.id}`;
    if (isShown || job.staff.id !== own) return;
    const isGood = job.counts.failed + job.counts.unconfirmed === 0;
    toasts.show(
      isGood && job.state === 'done' ? 'ok' : 'warn',
      `${titleOfJob(job)}: ${job.state}. ${outcomeOf(job)}.`,
      {
        label: 'Show',
        onPress: () => void navigate({ to: '/jobs/$id', params: { id: job.id } }),
      },
    );
  };
}
