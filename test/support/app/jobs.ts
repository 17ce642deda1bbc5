import { within } from '@testing-library/react';
import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod/mini';
import type { NewJob } from '../../../src/contract/bff/job.ts';
import { publicUrl } from '../bff/browser.ts';
import { prepare } from '../bff/jobs.ts';
import { createPerson } from '../bff/person.ts';
import { patientLimits } from '../desk.ts';
import { openDesk, type DeskOptions } from './desk.ts';
import { appears, renderApp, rowsOf } from './page.tsx';

/**
 * A desk on which Kari, who is at the page, has other ways to the BFF, no wait is long, and a change that a test holds is
 * not given up.
 */
export async function openJobDesk(options: DeskOptions) {
  const desk = await openDesk({
    wait: () => delay(1),
    limits: { ...patientLimits, total: 10 * 60_000 },
    ...options,
  });
  return { ...desk, kari: createPerson(desk.fetch, publicUrl) };
}

/** The page of a job that is prepared already. */
export async function openJob(options: DeskOptions, body: z.input<typeof NewJob>) {
  const desk = await openJobDesk(options);
  const job = await prepare(desk.kari, body);
  return { ...desk, job, ...renderApp(`/jobs/${job.id}`) };
}

/** The part of the page that says how the job is and what can be done, as soon as it is there. */
export const panel = async (name: 'Preview' | 'Progress' | 'Report') => within(await appears('region', name));

/** The rows of the job's table as texts. */
export const jobRows = () => rowsOf('Subscribers of this job');
