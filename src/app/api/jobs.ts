import { keepPreviousData, mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { NewJob, type Job, type JobRowsQuery, type JobsQuery } from '../../contract/bff/job.ts';
import { clientsOf } from './client.ts';
import { intervalAfterFailure } from './errors.ts';
import { makeStale } from './query-client.ts';
import { watchJob } from './watched-jobs.ts';

/** Whether a server works on a job: it also goes on by itself after a pause of the subscriber service. */
export const isAtWork = ({ state, pause }: Pick<Job, 'state' | 'pause'>): boolean =>
  state === 'preparing' || state === 'running' || (state === 'paused' && pause === 'service');

/** How long to wait before a job is read again, in ms: short at first. It is not read again once nobody works on it. */
function pollInterval(job: Job): number | false {
  if (!isAtWork(job)) return false;
  const began = Date.parse(job.startedAt ?? job.createdAt);
  return Date.now() - began < 60_000 ? 1_000 : 5_000;
}

const progressOf = ({ state, pause, counts }: Job) => JSON.stringify([state, pause, counts]);

const changed = ['listSubscribers', 'getSubscriber', 'listActivity'] as const;

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['getJob', id],
    queryFn: async ({ client, signal }) => {
      const { data } = await clientsOf(client).bff.getJob({ params: { id } }, { signal });
      const before = client.getQueryData<Job>(['getJob', id]);
      if (before && progressOf(before) !== progressOf(data)) makeStale(client, outdatedBy(data));
      return data;
    },
    refetchInterval: (query) =>
      (query.state.data && pollInterval(query.state.data)) || intervalAfterFailure(query),
    meta: { awaited: 'the job' },
  });

/** What is out of date when a job has got further. */
const outdatedBy = ({ startedAt }: Job) =>
  ['listJobs', 'listJobRows', ...(startedAt === null ? [] : changed)] as const;

/** All jobs, newest first. */
export const jobsQuery = (query: z.infer<typeof JobsQuery>) =>
  queryOptions({
    queryKey: ['listJobs', query],
    queryFn: async ({ client, signal }) => {
      const { data } = await clientsOf(client).bff.listJobs({ query }, { signal });
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
    placeholderData: keepPreviousData,
    meta: { awaited: 'the jobs' },
  });

/** A page of the subscribers of a job, with what is to become or has become of each. */
export const jobRowsQuery = (id: string, query: z.infer<typeof JobRowsQuery>) =>
  queryOptions({
    queryKey: ['listJobRows', id, query],
    queryFn: async ({ client, signal }) =>
      (await clientsOf(client).bff.listJobRows({ params: { id }, query }, { signal })).data,
    placeholderData: keepPreviousData,
    meta: { awaited: 'the subscribers of the job' },
  });

/** Prepares a job. Nothing is changed until it is started. */
export const createJob = mutationOptions({
  mutationKey: ['createJob'],
  mutationFn: async (job: NewJob, { client }) => {
    const { data } = await clientsOf(client).bff.createJob({ body: z.encode(NewJob, job) });
    client.setQueryData(jobQuery(data.id).queryKey, data);
    return data;
  },
  meta: { invalidates: ['listJobs'] },
});

/** What can be done with a job that is prepared. */
export type JobAction =
  | { operation: 'startJob'; id: string; limit?: number }
  | { operation: 'pauseJob' | 'stopJob' | 'retryJob' | 'undoJob'; id: string };

/** Does something with a job. For `undoJob` the answer is another job, which undoes it. */
export const changeJob = mutationOptions({
  mutationKey: ['changeJob'],
  mutationFn: async (action: JobAction, { client }) => {
    const { data } = await sendAction(client, action);
    client.setQueryData(jobQuery(data.id).queryKey, data);
    if (action.operation === 'startJob' || action.operation === 'retryJob') watchJob(data.id);
    return data;
  },
  meta: { invalidates: ['listJobs', 'getJob', 'listJobRows', ...changed] },
});

function sendAction(client: QueryClient, action: JobAction) {
  const { bff } = clientsOf(client);
  const params = { id: action.id };
  if (action.operation !== 'startJob') return bff[action.operation]({ params });
  return bff.startJob({ params, body: action.limit === undefined ? {} : { limit: action.limit } });
}
