import { setTimeout as delay } from 'node:timers/promises';
import { apiBase } from '../../src/contract/bff/paths.ts';
import { ownPage } from '../support/bff/browser.ts';
import { addPeople } from './people.ts';
import { startProcess } from './processes.ts';
import { median, p99, timeOf } from './report.ts';

/**
 * A server with so many subscribers on the embedded SQLite, and managers who are signed in, by their cookies.
 *
 * @param reads that one account may do in a second; 0 for any number
 */
export async function startFilledServer(rows: number, reads = 0) {
  const server = await startProcess('src/server/main.ts start', {
    SAMPLE_SUBSCRIBERS: String(rows),
    READS_PER_SECOND: String(reads),
    LOG_LEVEL: 'error',
  });
  const [manager = '', colleague = ''] = (await addPeople(server.folder)).cookies;

  /** @throws where the answer is none of success */
  const ask = async (cookie: string, path: string, options: RequestInit = {}) => {
    const headers = {
      ...ownPage,
      Cookie: cookie,
      ...(options.body && { 'Content-Type': 'application/json' }),
    };
    const answer = await fetch(server.url + path, { ...options, headers });
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`);
    return answer;
  };

  /** Milliseconds until a list is read. */
  const timeList = async (cookie: string, query: string) => {
    const requested = performance.now();
    await (await ask(cookie, `${apiBase}/subscribers?${query}`)).arrayBuffer();
    return performance.now() - requested;
  };

  /**
   * Does some work while a colleague reads lists, and a monitor asks whether the server is healthy: how long it takes, what
   * they wait and the longest turn of the event loop takes in ms, and by how many MB memory grows.
   */
  const whileOthersRead = async <Result>(work: () => Promise<Result>) => {
    const { rss: before } = await server.usage();
    const times: number[] = [];
    const checks: number[] = [];
    const over = new AbortController();
    let [peak, turn] = [before, 0];
    const note = async () => {
      const now = await server.usage();
      [peak, turn] = [Math.max(peak, now.rss), Math.max(turn, now.turn / 1000)];
    };
    const read = async () => {
      for (let page = 1; !over.signal.aborted; page += 1) {
        times.push(await timeList(colleague, `Page=${1 + (page % 100)}`));
        checks.push(await timeOf(() => ask(colleague, '/healthz')));
        if (page % 10 === 1) await note();
        await delay(20);
      }
    };
    const began = performance.now();
    const doWork = async () => ({ result: await work(), ms: performance.now() - began });
    const [done] = await Promise.all([doWork().finally(() => over.abort()), read()]);
    const health = { p50: median(checks), p99: p99(checks) };
    await note();
    return { ...done, turn, p50: median(times), p99: p99(times), health, grown: (peak - before) / 1e6 };
  };
  return { server, manager, colleague, ask, timeList, whileOthersRead };
}
