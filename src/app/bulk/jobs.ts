import { queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import {
  NewJob,
  type Job,
  type JobRowsQuery,
  type JobsQuery,
  type LeaveOut,
  type StartJob,
} from '../../contract/bff/job.ts';
import { clientOf } from '../api/client.ts';
import { intervalAfterFailure } from '../api/errors.ts';
import { makeStale } from '../api/query-client.ts';
import { useAction, type ActionOptions } from '../api/use-action.ts';
import { useApp, useFocusHeading } from '../components/app-context.ts';
import { toChangeIn } from '../subscriber/job-words.ts';
import { watchedJobs } from './watched-jobs.ts';

/** True if a server works on a job: it also goes on by itself after a pause of the subscriber service. */
export const isAtWork = ({ state, pause }: Pick<Job, 'state' | 'pause'>): boolean =>
  state === 'preparing' || state === 'running' || (state === 'paused' && pause === 'service');

/**
 * Pause before a job is read again, in ms: short at first. It is not read again once nobody works on it and nobody
 * will: after a pause, when the rows under way have ended.
 */
function pollInterval(job: Job): number | false {
  if (!isAtWork(job) && !job.isHeld && job.startsAt === null) return false;
  // The server's clock may be ahead of the browser's.
  const age = Math.abs(Date.now() - Date.parse(job.startedAt ?? job.createdAt));
  return age < 60_000 ? Math.min(Math.max(age, 100), 1_000) : 5_000;
}

const progressOf = ({ state, pause, counts, startsAt }: Job) =>
  JSON.stringify([state, pause, counts, startsAt]);

const changed = ['listSubscribers', 'getSubscriber', 'listActivity'] as const;

/** Pause before a preview on the screen is read again, in ms: somebody else may change it, start it or give it up. */
const followEvery = 10_000;

/** Number of subscribers of a job that have been dealt with, and of all. */
export function progressIn(job: Job): { done: number; of: number } {
  const of = toChangeIn(job);
  return { done: of - job.counts.change, of };
}

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['getJob', id],
    queryFn: async ({ client, signal }) => {
      const { data } = await clientOf(client).getJob({ params: { id } }, { signal });
      const before = client.getQueryData<Job>(['getJob', id]);
      if (before && progressOf(before) !== progressOf(data)) makeStale(client, outdatedBy(data));
      return data;
    },
    refetchInterval(query) {
      const job = query.state.data;
      return (
        (job && (pollInterval(job) || (job.state === 'ready' && followEvery))) || intervalAfterFailure(query)
      );
    },
    meta: { awaited: 'the job' },
  });

/** Queries that are out of date when a job has got further. */
const outdatedBy = ({ startedAt }: Job) =>
  ['listJobs', 'listJobRows', ...(startedAt === null ? [] : changed)] as const;

/** All jobs, newest first. */
export const jobsQuery = (query: z.infer<typeof JobsQuery>) =>
  queryOptions({
    queryKey: ['listJobs', query],
    queryFn: async ({ client, signal }) => {
      const { data } = await clientOf(client).listJobs({ query }, { signal });
      const before = client.getQueryData<typeof data>(['listJobs', query])?.items ?? [];
      const isFurther = data.items.some((job) => {
        const known = before.find(({ id }) => id === job.id);
        return known && job.startedAt !== null && progressOf(known) !== progressOf(job);
      });
      if (isFurther) makeStale(client, changed);
      return data;
    },
    refetchInterval: (query) =>
      query.state.data?.items.map(pollInterval).find(Boolean) || intervalAfterFailure(query),
    meta: { awaited: 'the jobs' },
  });

/** A page of the subscribers of a job, with what is to become or has become of each. */
export const jobRowsQuery = (id: string, query: z.infer<typeof JobRowsQuery>) =>
  queryOptions({
    queryKey: ['listJobRows', id, query],
    queryFn: async ({ client, signal }) =>
      (await clientOf(client).listJobRows({ params: { id }, query }, { signal })).data,
    meta: { awaited: 'the subscribers of the job' },
  });

/** Prepares a job, and shows its preview. Nothing is changed until it is started. */
export function usePrepareJob(options: Partial<ActionOptions<'createJob', NewJob>> = {}) {
  const { queryClient } = useApp();
  const navigate = useNavigate();
  return useAction<'createJob', NewJob>('createJob', {
    done: 'the job was prepared',
    check: 'Look at the jobs',
    ...options,
    send: (client, job) => client.createJob({ body: z.encode(NewJob, job) }),
    onReply(reply) {
      options.onReply?.(reply);
      queryClient.setQueryData(jobQuery(reply.data.id).queryKey, reply.data);
    },
    // What was entered is in the job now.
    onDone: ({ data: { id } }) => navigate({ to: '/jobs/$id', params: { id }, ignoreBlocker: true }),
  });
}

export type JobOperation = 'startJob' | 'importAnyway' | 'pauseJob' | 'stopJob' | 'retryJob' | 'undoJob';

/** Does something with the job of a page, one at a time. For `undoJob` the answer is another job, which undoes it. */
export function useJobAction({ id, counts }: Pick<Job, 'id' | 'counts'>) {
  const { queryClient } = useApp();
  const navigate = useNavigate();
  const focusHeading = useFocusHeading();
  const { run, ...acting } = useAction<JobOperation, readonly [JobOperation, StartJob]>('startJob', {
    done: 'this was done',
    check: 'Look at the job',
    send: (client, [operation, start]) =>
      operation === 'startJob'
        ? client.startJob({ params: { id }, body: { count: counts.change, ...start } })
        : client[operation]({ params: { id } }),
    onReply({ data }) {
      queryClient.setQueryData(jobQuery(data.id).queryKey, data);
      if (data.state === 'running' || data.startsAt !== null) watchJob(data.id);
    },
    async onDone({ data }) {
      if (data.id !== id) await navigate({ to: '/jobs/$id', params: { id: data.id } });
      // The button that had the focus is gone.
      else focusHeading();
    },
  });
  return { ...acting, run: (operation: JobOperation, start: StartJob = {}) => void run([operation, start]) };
}

/** Leaves rows out of a job that is not started, or takes them in again. */
export function useLeaveOut({ id }: Job) {
  const { queryClient } = useApp();
  const leaving = useAction<'leaveOutRows', LeaveOut>('leaveOutRows', {
    done: 'the subscribers were left out',
    check: 'Look at the job',
    failures: 'toast',
    send: (client, body) => client.leaveOutRows({ params: { id }, body }),
    onReply: ({ data }) => queryClient.setQueryData(jobQuery(id).queryKey, data),
  });
  return { busy: leaving.isBusy, leave: (body: LeaveOut) => void leaving.run(body) };
}

const watchedIds = () => watchedJobs.get().split(' ').filter(Boolean);

/** One may never be heard of again, so that they must not add up. */
const mostWatched = 10;

/** Tells the person at this browser how a job ends, on whatever page that is. */
function watchJob(id: string): void {
  watchedJobs.set([...new Set([...watchedIds(), id])].slice(-mostWatched).join(' '));
}

export function unwatchJob(id: string): void {
  watchedJobs.set(
    watchedIds()
      .filter((one) => one !== id)
      .join(' '),
  );
}

export const isWatched = (id: string): boolean => watchedIds().includes(id);
