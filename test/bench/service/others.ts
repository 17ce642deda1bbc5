import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { percentiles } from './percentiles.ts';
import { issuer, type Subject } from './subject.ts';

const slowReaders = 10;

/** What others feel while ten clients read slow lists all the time: texts of one and two letters, which scan everything. */
export async function measureOthers({ client, fetch }: Subject, seconds: number) {
  const over = new AbortController();
  const read = async (reader: number) => {
    for (let round = reader; !over.signal.aborted; round += 1)
      await client.listSubscribers({
        query:
          round % 2 === 0
            ? { Username: 'aeiou'.charAt(round % 5) }
            : { Email: `a${'nrst'.charAt(round % 4)}` },
      });
  };
  const reading = Promise.all(Array.from({ length: slowReaders }, (_, reader) => read(reader)));
  const health: number[] = [];
  const lists: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const end = performance.now() + seconds * 3000;
  while (performance.now() < end) {
    health.push(await timeOf(() => fetch(new Request(`${issuer}/healthz`))));
    lists.push(await timeOf(() => client.listSubscribers({ query: { IsTrial: true, Expired: true } })));
    await pause(10);
  }
  delay.disable();
  over.abort();
  await reading;
  const loop = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 };
  return [
    { name: '/healthz while ten read slow lists', ...percentiles(health), target: 100 },
    { name: 'a list meanwhile', ...percentiles(lists), target: 100 },
    { name: 'delay of the event loop meanwhile', ...loop, target: 50 },
  ];
}

async function timeOf(ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await ask();
  return performance.now() - began;
}
