import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent } from 'undici';
import { apiBase } from '../../src/contract/bff/paths.ts';
import { startFilledServer } from './filled-server.ts';
import { startProcess } from './processes.ts';
import { p99, show, timeOf } from './report.ts';
import type { Bench } from './run.ts';
import type { Flood } from './strangers.ts';

const servers = { server: 'src/server/main.ts start', service: 'src/server/main.ts service' };
const stays = { held: 60_000, 'opened anew': 200 };

/** Delay of others, and memory, while strangers send requests without reading any answer. */
export const benchFlood: Bench = async ({ seconds }) => {
  for (const [name, file] of Object.entries(servers))
    for (const [how, stay] of Object.entries(stays))
      await whileStrangersSend(`${name}, connections ${how}`, file, stay, seconds);
  await whileOneAsksForAll(seconds);
};

/** The strangers come from 127.0.0.1, and the others from 127.0.0.2, which is there on Linux. */
async function whileStrangersSend(name: string, file: string, stay: number, seconds: number): Promise<void> {
  const server = await startProcess(file);
  const url = `${server.url}/healthz`;
  const workerData: Flood = { url, connections: 1000, stay };
  const strangers = new Worker(new URL('strangers.ts', import.meta.url), { workerData });
  const bystander = new Agent({ localAddress: '127.0.0.2' });
  try {
    await once(strangers, 'message');
    const times: number[] = [];
    let peak = 0;
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      times.push(await timeOf(() => read(bystander, url)));
      if (times.length % 25 === 1) peak = Math.max(peak, (await server.usage()).rss);
      await delay(20);
    }
    show(`${name}: others, p99`, p99(times), 'ms', 200);
    show(`${name}: memory`, peak / 1e6, 'MB', 300);
    show(`${name}: log lines a second`, server.warnings() / seconds, '', 1);
  } finally {
    await Promise.all([strangers.terminate(), bystander.destroy(), server.stop()]);
  }
}

/** @throws where the server has ended, or answers with anything but 200 */
async function read(bystander: Agent, url: string): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  const { statusCode, body } = await bystander.request({ origin, path, method: 'GET' });
  await body.dump();
  if (statusCode !== 200) throw new Error(`A bystander was answered with ${statusCode}.`);
}

/** A colleague's lists, while one account has 20 heavy lists under way all the time, and drops each after 1.5 s. */
async function whileOneAsksForAll(seconds: number): Promise<void> {
  const { server, manager, colleague, ask, timeList } = await startFilledServer(200_000, 20);
  const end = performance.now() + seconds * 1000;
  /** Each is another list, or they would share one answer. The script does not mind what it is refused. */
  const askForAll = async (script: number) => {
    for (let page = script; performance.now() < end; page += 20) {
      const signal = AbortSignal.timeout(1500);
      const list = await ask(manager, `${apiBase}/subscribers?Email=e&Page=${page}`, { signal }).catch(
        () => {},
      );
      await list?.arrayBuffer().catch(() => {});
    }
  };
  const times: number[] = [];
  const readLists = async () => {
    for (let page = 1; performance.now() < end; page += 1) {
      times.push(await timeList(colleague, `Page=${page}`));
      // Below what one account may read.
      await delay(100);
    }
  };
  try {
    await Promise.all([readLists(), ...Array.from({ length: 20 }, (_, script) => askForAll(script + 1))]);
    show('20 heavy lists of one account: others, p99', p99(times), 'ms', 200);
  } finally {
    await server.stop();
  }
}
