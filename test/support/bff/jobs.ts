import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { Job, NewJob, RowResult } from '../../../src/contract/bff/job.ts';
import type { Person } from './person.ts';

/** Waits until a job is in one of these states. */
export async function untilJob(
  person: Pick<Person, 'bff'>,
  id: string,
  ...states: Job['state'][]
): Promise<Job> {
  let job: Job | null = null;
  await expect
    .poll(async () => {
      job = (await person.bff.getJob({ params: { id } })).data;
      return states.includes(job.state) || job;
    })
    .toBe(true);
  // It was set by the poll, which TypeScript does not follow.
  return job as unknown as Job;
}

/** Prepares a job, and waits until it can be started. */
export async function prepare(person: Pick<Person, 'bff'>, body: z.input<typeof NewJob>): Promise<Job> {
  const { data } = await person.bff.createJob({ body });
  return untilJob(person, data.id, 'ready', 'stopped');
}

/** Starts a job, and waits until it has ended or is paused. */
export async function runToEnd(person: Pick<Person, 'bff'>, id: string, limit?: number): Promise<Job> {
  await person.bff.startJob({ params: { id }, body: limit === undefined ? {} : { limit } });
  return untilJob(person, id, 'done', 'paused', 'stopped');
}

export const rowsOf = async (person: Pick<Person, 'bff'>, id: string, result?: RowResult) =>
  (
    await person.bff.listJobRows({
      params: { id },
      query: { pageSize: 200, ...(result !== undefined && { result }) },
    })
  ).data.items;
