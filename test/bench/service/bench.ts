import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { median, p99, row, say, timeOf } from '../report.ts';
import type { Bench } from '../run.ts';
import { casesFor, type Case } from './cases.ts';
import { issuer, startSubject, type Subject } from './subject.ts';

/** The service on a large database, on each engine: each kind of read, what slow reads do to others, and writes a second. */
export const benchService: Bench = async ({ rows, seconds }) => {
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const subject = await startSubject(engine, rows);
    try {
      say();
      say(`${engine}: ${rows} subscribers, filled in ${subject.filled.toFixed(1)} s`);
      say(row('ms', 'found', 'p50', 'p99', 'target'));
      for (const each of await casesFor(subject, rows)) await measureCase(each, engine, seconds);
      await measureOthers(subject, seconds);
      await measureWrites(subject, seconds);
      say(`load ${loadavg()[0]?.toFixed(1)}`);
    } finally {
      await subject.stop();
    }
  }
};

const most = 1000;
const least = 15;
/** Time that each case runs before it is measured, in ms, so that its code is compiled. */
const warming = 100;

/** As often as fits into the time, at least a few times. The median is what the case costs beside whatever else runs. */
async function measureCase({ name, target, run }: Case, engine: Subject['engine'], seconds: number) {
  let found = 0;
  const repeat = async (longest: number) => {
    const times: number[] = [];
    const end = performance.now() + longest;
    for (let round = 0; round < most && (round < least || performance.now() < end); round += 1)
      times.push(await timeOf(async () => (found = Math.max(found, await run(round)))));
    return times;
  };
  await repeat(warming);
  const times = await repeat((seconds * 1000) / 3);
  sayTimes(name, found, median(times), p99(times), target?.[engine]);
}

/** The target is one of the median. */
function sayTimes(name: string, found: number | '', half: number, most: number, target?: number): void {
  const missed = target !== undefined && half > target ? '  missed' : '';
  say(row(name, found, half.toFixed(3), most.toFixed(3), target ?? '') + missed);
}

/** Delay of others while ten clients read slow lists: texts of one and two letters, which scan everything. */
async function measureOthers({ client, fetch }: Subject, seconds: number): Promise<void> {
  const over = new AbortController();
  const readSlowly = async (reader: number) => {
    for (let round = reader; !over.signal.aborted; round += 1) {
      const [one, two] = ['aeiou'.charAt(round % 5), `a${'nrst'.charAt(round % 4)}`];
      await client.listSubscribers({ query: round % 2 === 0 ? { Username: one } : { Email: two } });
    }
  };
  const reading = Promise.all(Array.from({ length: 10 }, (_, reader) => readSlowly(reader)));
  const health: number[] = [];
  const lists: number[] = [];
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const end = performance.now() + seconds * 3000;
  while (performance.now() < end) {
    health.push(await timeOf(() => fetch(new Request(`${issuer}/healthz`))));
    lists.push(await timeOf(() => client.listSubscribers({ query: { IsTrial: true, Expired: true } })));
    await delay(10);
  }
  loop.disable();
  over.abort();
  await reading;
  sayWorst('/healthz while ten read slow lists', median(health), p99(health), 100);
  sayWorst('a list meanwhile', median(lists), p99(lists), 100);
  sayWorst('delay of the event loop meanwhile', loop.percentile(50) / 1e6, loop.percentile(99) / 1e6, 50);
}

/** The target is one of what one in a hundred takes longer than. */
function sayWorst(name: string, half: number, worst: number, target: number): void {
  say(row(name, '', half.toFixed(3), worst.toFixed(3), target) + (worst > target ? '  missed (p99)' : ''));
}

/** Eight writers that change one subscriber after another, each as soon as its last change is acknowledged. */
async function measureWrites({ client }: Subject, seconds: number): Promise<void> {
  const times: number[] = [];
  const began = performance.now();
  const change = async (writer: number, round: number): Promise<unknown> => {
    if (round % 2 === 1)
      return client.updateSubscriber({
        params: { id: 1 + ((writer * 7919 + round * 104_729) % 1000) },
        body: { note: `changed in round ${round}`, maxConnections: 1 + (round % 9) },
      });
    const username = `writer-${writer}-${round}-${began.toFixed(0)}`;
    const expiresAt = new Date(Date.UTC(2027, 0, 1) + round * 60_000).toISOString();
    return client.createSubscriber({ body: { username, email: `${username}@example.com`, expiresAt } });
  };
  const write = async (writer: number) => {
    for (let round = 0; performance.now() - began < seconds * 1000; round += 1)
      times.push(await timeOf(() => change(writer, round)));
  };
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  const perSecond = (times.length / (performance.now() - began)) * 1000;
  sayTimes(`8 writers: ${perSecond.toFixed(0)} writes a second`, '', median(times), p99(times));
}
