import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { addPeople } from '../load/people.ts';
import { sayFigures, sayHeading, type Figure } from '../app/report.ts';
import { startChild } from '../child.ts';
import type { Bench } from '../options.ts';
import { memoryOf, p99, startServer, type Running } from '../server.ts';
import type { Flood } from './strangers.ts';

const servers = [
  { name: 'server', entry: 'src/server/start.ts' },
  { name: 'service', entry: 'src/server/service.ts' },
] as const;
const connections = 1000;
/** Milliseconds between two requests of a bystander. */
const pause = 20;

/**
 * What others feel, and how much memory it takes, while strangers send requests without reading any answer. The strangers
 * come from 127.0.0.1, and the others from 127.0.0.2, which is there on Linux.
 */
export const benchFlood: Bench = async (options) => {
  sayHeading(options, '');
  for (const server of servers)
    for (const stay of [options.seconds * 1000, 200])
      sayFigures(await measure(server, stay, options.seconds), options);
  sayFigures(await whileOneAsksForAll(options.seconds), options);
};

const entries = 600_000;

/** A long history of made-up changes. The chain does not cover it, which lists do not look at. */
function addEntries(folder: string): void {
  const db = new DatabaseSync(join(folder, 'desk.sqlite'));
  db.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${entries})
    insert into journal (id, seq, at, staff_id, staff_name, operation, subscriber_id, username, request_id, lock_key,
      closed_seq, closed_at, outcome)
    select 'entry-' || n, 1000000 + 2 * n, 1700000000000 + n * 1000, 'staff-' || (n % 20), 'Made up',
      case n % 10 when 0 then 'regenerateToken' when 1 then 'deleteSubscriber' else 'updateSubscriber' end,
      n % 50000, 'made-up-' || (n % 50000), 'request', 's:' || (n % 50000), 1000001 + 2 * n, 1700000000005 + n * 1000,
      'done' from numbers`);
  db.close();
}

/** What a colleague's lists take while one account has 20 lists under way all the time, and drops each after 1.5 s. */
async function whileOneAsksForAll(seconds: number): Promise<Figure[]> {
  const server = await startServer('src/server/start.ts', { SAMPLE_SUBSCRIBERS: '200000' });
  addEntries(server.folder);
  const { cookies } = await addPeople(server.folder, { sessions: 3, accounts: 3 });
  const [script = '', ...colleagues] = cookies;
  const read = async (cookie: string, address: string, patience: number) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${address}`, {
      headers: { Cookie: cookie, [csrfHeader.name]: csrfHeader.value },
      signal: AbortSignal.timeout(patience),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** Each is another list, or they would share one answer. The script does not mind what it is refused. */
  const askForAll = async (addressOf: (page: number) => string, index: number, end: number) => {
    for (let page = index; performance.now() < end; page += 20)
      await read(script, addressOf(page), 1500).catch(() => {});
  };
  const ask = async (colleague: string, end: number) => {
    const times: number[] = [];
    for (let page = 1; performance.now() < end; page += 1) {
      const asked = performance.now();
      const status = await read(colleague, `${apiBase}/subscribers?Page=${page}`, 60_000);
      if (status !== 200) throw new Error(`A colleague was answered with ${status}.`);
      times.push(performance.now() - asked);
      // Below what one account may read.
      await delay(100);
    }
    return times;
  };
  const floods = {
    'heavy lists': (page: number) => `${apiBase}/subscribers?Email=e&Page=${page}`,
    [`pages of ${entries} entries`]: (page: number) =>
      `${bffApi.listActivity.path}?page=${page * 100}&operation=updateSubscriber`,
  };
  const figures: Figure[] = [];
  try {
    for (const [name, addressOf] of Object.entries(floods)) {
      const end = performance.now() + seconds * 1000;
      const script20 = Array.from({ length: 20 }, (_, index) => askForAll(addressOf, index + 1, end));
      const [times] = await Promise.all([ask(colleagues[figures.length] ?? '', end), ...script20]);
      const what = `20 ${name} of one account: others, p99`;
      figures.push({ name: what, value: p99(times), unit: 'ms', budget: 200 });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

async function measure(
  { name, entry }: (typeof servers)[number],
  stay: number,
  seconds: number,
): Promise<Figure[]> {
  const running = await startServer(entry);
  const { child: strangers } = await startChild('./flood/strangers.ts');
  try {
    const flood = { port: running.port, path: '/healthz', connections, stay } satisfies Flood;
    await strangers.ask<string>(flood);
    const { times, peak } = await watch(running, seconds);
    const what = `${name}, ${stay === 200 ? 'connections opened anew' : 'connections held'}`;
    return [
      { name: `${what}: others, p99`, value: p99(times), unit: 'ms', budget: 200 },
      { name: `${what}: memory`, value: peak, unit: 'MB', budget: 300 },
      { name: `${what}: log lines a second`, value: running.warnings() / seconds, unit: '', budget: 1 },
    ];
  } finally {
    await strangers.stop();
    await running.stop();
  }
}

/** @throws where the server has ended, or answers a bystander with anything but 200 */
async function watch({ port, pid }: Running, seconds: number): Promise<{ times: number[]; peak: number }> {
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
  const times: number[] = [];
  let peak = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const asked = performance.now();
    await ask(port, agent);
    times.push(performance.now() - asked);
    if (times.length % 25 === 1) peak = Math.max(peak, memoryOf(pid));
    await delay(pause);
  }
  agent.destroy();
  return { times, peak };
}

function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/healthz', agent }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`A bystander was answered with ${answer.statusCode}.`));
      });
    }).once('error', reject);
  });
}
