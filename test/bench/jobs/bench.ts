import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { Job } from '../../../src/contract/bff/job.ts';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { fillPath } from '../../../src/contract/http/endpoint.ts';
import { sayFigures, sayHeading, type Figure } from '../app/report.ts';
import { startFilledServer } from '../filled-server.ts';
import type { Bench } from '../options.ts';
import { memoryOf, p99 } from '../server.ts';

const most = 100_000;

/**
 * How fast a job is prepared and run on the embedded service's SQLite, and what others feel meanwhile. It runs for so many
 * seconds, ten times as long as asked for; the rest is stopped.
 */
export const benchJobs: Bench = async (options) => {
  const subscribers = Math.min(options.rows, most);
  sayHeading(options, `${subscribers} subscribers`);
  const { server, manager, colleague, send } = await startFilledServer(subscribers);
  try {
    const tell = async (path: string, body: unknown) => {
      const answer = await send(manager, path, 'POST', body);
      if (!answer.ok) throw new Error(`A job was answered with ${answer.status}: ${await answer.text()}`);
      return Job.parse(await answer.json());
    };
    const pathTo = (row: { path: string }, id: string) => fillPath(row.path, { id });
    /** Watches until a job is in another state, or the time is over. */
    const watch = async (id: string, state: Job['state'], longest = Number.POSITIVE_INFINITY) => {
      const times: number[] = [];
      const began = performance.now();
      let [job, memory] = [null as Job | null, 0];
      for (let page = 1; ; page += 1) {
        const asked = performance.now();
        const list = await send(colleague, `${apiBase}/subscribers?Page=${page % 100}`);
        await list.arrayBuffer();
        times.push(performance.now() - asked);
        if (page % 5 === 1) {
          job = Job.parse(await (await send(manager, pathTo(bffApi.getJob, id))).json());
          memory = Math.max(memory, memoryOf(server.pid));
        }
        if (job?.state !== state || performance.now() - began > longest) break;
        await delay(20);
      }
      return { job, memory, seconds: (performance.now() - began) / 1000, p99: p99(times) };
    };
    const { id } = await tell(bffApi.createJob.path, {
      kind: 'update',
      targets: { all: true },
      change: { appendNote: 'Bench.' },
    } satisfies z.input<typeof bffApi.createJob.body>);
    const prepared = await watch(id, 'preparing');
    if (prepared.job?.state !== 'ready') throw new Error(`The job is ${prepared.job?.state}.`);
    await tell(pathTo(bffApi.startJob, id), {});
    const ran = await watch(id, 'running', options.seconds * 10_000);
    const done = ran.job?.counts.done ?? 0;
    const per100k = most / subscribers;
    const figures: Figure[] = [
      { name: 'to prepare 100,000', value: prepared.seconds * 1000 * per100k, unit: 'ms', budget: 60_000 },
      { name: 'a list meanwhile, p99', value: prepared.p99, unit: 'ms', budget: 100 },
      { name: 'memory meanwhile', value: prepared.memory, unit: 'MB' },
      // 150 rows a second.
      {
        name: `a row: ${(done / ran.seconds).toFixed(0)} a second`,
        value: (ran.seconds * 1000) / done,
        unit: 'ms',
        budget: 1000 / 150,
      },
      { name: 'a list meanwhile, p99', value: ran.p99, unit: 'ms', budget: 100 },
      { name: 'memory meanwhile', value: ran.memory, unit: 'MB' },
    ];
    sayFigures(figures, options);
  } finally {
    await server.stop();
  }
};
