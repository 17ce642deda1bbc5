import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { bffApi } from '../../src/contract/bff/api.ts';
import { Job } from '../../src/contract/bff/job.ts';
import { fillPath } from '../../src/contract/http/endpoint.ts';
import { startFilledServer } from './filled-server.ts';
import { show } from './report.ts';
import type { Bench } from './run.ts';

const most = 100_000;
const note = {
  kind: 'update',
  targets: { all: true },
  change: { appendNote: 'Bench.' },
} satisfies z.input<typeof bffApi.createJob.body>;

/**
 * Speed of preparing and running a job on the embedded service's SQLite, and the delay of others meanwhile. It runs for
 * ten times the seconds of a measurement; the rest is stopped.
 */
export const benchJobs: Bench = async ({ rows, seconds }) => {
  const subscribers = Math.min(rows, most);
  const { server, manager, ask, whileOthersRead } = await startFilledServer(subscribers);
  const post = async (path: string, body: object) => {
    const answer = await ask(manager, path, { method: 'POST', body: JSON.stringify(body) });
    return Job.parse(await answer.json());
  };
  /** Waits until a job is in another state, or the time is over. */
  const whileIn = async (state: Job['state'], id: string, longest = Number.POSITIVE_INFINITY) => {
    const end = performance.now() + longest;
    for (;;) {
      const job = Job.parse(await (await ask(manager, fillPath(bffApi.getJob.path, { id }))).json());
      if (job.state !== state || performance.now() > end) return job;
      await delay(100);
    }
  };
  try {
    const { id } = await post(bffApi.createJob.path, note);
    const prepared = await whileOthersRead(() => whileIn('preparing', id));
    if (prepared.result.state !== 'ready') throw new Error(`The job is ${prepared.result.state}.`);
    show('to prepare 100,000', prepared.ms * (most / subscribers), 'ms', 30_000);
    show('a list meanwhile, p99', prepared.p99, 'ms', 50);
    await post(fillPath(bffApi.startJob.path, { id }), {});
    const ran = await whileOthersRead(() => whileIn('running', id, seconds * 10_000));
    const { done } = ran.result.counts;
    // 250 rows a second.
    show(`a row: ${((done / ran.ms) * 1000).toFixed(0)} a second`, ran.ms / done, 'ms', 1000 / 250);
    show('a list meanwhile, p99', ran.p99, 'ms', 50);
    show('memory grew by', Math.max(prepared.grown, ran.grown), 'MB');
  } finally {
    await server.stop();
  }
};
