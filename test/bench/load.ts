import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { apiBase, sessionPath } from '../../src/contract/bff/paths.ts';
import { ask as requestOf, ownPage } from '../support/bff/browser.ts';
import type { Beats, Pace } from './paced.ts';
import { addPeople } from './people.ts';
import { password, startBff, startProcess, type Running } from './processes.ts';
import { p99, show, timeOf } from './report.ts';
import type { Bench } from './run.ts';

const crowd = { sessions: 10_000, accounts: 200 };
/** Reads a second. */
const rate = 200;
const rounds = 3;
/** So many strangers try passwords, each of them again and again; half of them hang up after 30 ms. */
const strangers = { addresses: 100, perSecond: 50, patience: 30 };

/** Time that the BFF adds to a read with many sessions; reads while many sign in; speed of a 503. */
export const benchLoad: Bench = async ({ seconds }) => {
  const service = await startProcess('test/bench/bff/upstream.ts');
  const bff = await startBff(service.url);
  const { cookies, names } = await addPeople(bff.folder, crowd);
  const paced = new Worker(new URL('paced.ts', import.meta.url));
  const people = cookies.map((cookie) => ({ ...ownPage, Cookie: cookie }));
  const ask = async (urls: readonly string[], forSeconds: number, status = 200): Promise<Beats> => {
    paced.postMessage({ urls, people, status, rate, seconds: forSeconds } satisfies Pace, []);
    const [beats]: Beats[] = await once(paced, 'message');
    return beats ?? [];
  };
  const lists = [`${bff.url}${apiBase}/subscribers?PageSize=42`, `${service.url}/subscribers?PageSize=42`];
  try {
    // Until the engine has compiled what they take.
    await ask(lists, seconds);
    const beats = await ask(lists, seconds * rounds);
    const added = beats.map(([through = Number.NaN, direct = Number.NaN]) => through - direct);
    show('added to a read: 10,000 sessions, 200 reads a second, p99', p99(added), 'ms', 20);
    for (let round = 0; round < rounds; round += 1) await whileAllSignIn(bff, names, (s) => ask(lists, s));
    await whileStrangersTry(bff, names[0] ?? '', seconds * rounds);
    await service.stop();
    const dark = await ask(lists.slice(0, 1), seconds * rounds, 503);
    show('a refusal while the service is dark, p99', p99(dark.flat()), 'ms', 50);
  } finally {
    await Promise.all([paced.terminate(), bff.stop(), service.stop()]);
  }
};

/** All sign in at the same moment, each from an address of its own; the reads go on until the last of them is in. */
async function whileAllSignIn(
  bff: Running,
  names: readonly string[],
  read: (seconds: number) => Promise<Beats>,
): Promise<void> {
  const over = new AbortController();
  const all = timeOf(() => Promise.all(names.map((name, index) => signIn(bff, name, `192.0.2.${index}`))));
  void all.finally(() => over.abort()).catch(() => {});
  const times: number[] = [];
  while (!over.signal.aborted) times.push(...(await read(0.5)).map(([through = Number.NaN]) => through));
  show('a read while 200 sign in at once, p99', p99(times), 'ms', 100);
  show('until all 200 are in', await all, 'ms');
}

/** Time of sign-ins while strangers try passwords from rotating addresses, and their cost in memory. */
async function whileStrangersTry(bff: Running, name: string, seconds: number): Promise<void> {
  const first = await signIn(bff, name, '203.0.113.1');
  const cookies = first.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const before = await bff.usage(true);
  const over = new AbortController();
  const trying = keepTrying(bff, over.signal);
  // Until all their addresses have tried something wrong.
  await delay(4000);
  const times = { known: [] as number[], unknown: [] as number[] };
  const end = performance.now() + seconds * 1000;
  for (let turn = 1; performance.now() < end; turn += 1) {
    const address = `203.0.113.${turn % 250}`;
    const [known, unknown] = await Promise.all([
      timeOf(() => signIn(bff, name, address, cookies.join('; '))),
      timeOf(() => signIn(bff, name, address)),
    ]);
    times.known.push(known);
    times.unknown.push(unknown);
  }
  const during = await bff.usage(true);
  over.abort();
  await trying;
  show('a known browser’s sign-in while strangers try, slowest', Math.max(...times.known), 'ms', 1000);
  show('an unknown one’s', Math.max(...times.unknown), 'ms', 5000);
  show('memory that this takes', Math.max(0, (during.rss - before.rss) / 1e6), 'MB', 64);
}

/** Signs in, and tries again when the answer says so, as a person does. */
async function signIn({ url }: Running, name: string, address: string, cookie?: string): Promise<Response> {
  const headers = { 'X-Forwarded-For': address, ...(cookie !== undefined && { Cookie: cookie }) };
  for (;;) {
    const body = { name, password };
    const answer = await fetch(requestOf('POST', sessionPath, { body, headers, base: url }));
    await answer.arrayBuffer();
    if (answer.ok) return answer;
    const wait = Number(answer.headers.get('Retry-After'));
    if (answer.status !== 503 || !(wait > 0))
      throw new Error(`A sign-in was answered with ${answer.status}.`);
    await delay(wait * 1000);
  }
}

async function keepTrying({ url }: Running, over: AbortSignal): Promise<void> {
  const trials: Promise<unknown>[] = [];
  for (let count = 0; !over.aborted; count += 1) {
    const body = { name: `stranger-${count}`, password: 'a wrong password, tried' };
    const headers = { 'X-Forwarded-For': `198.51.100.${count % strangers.addresses}` };
    const hangUp = AbortSignal.timeout(strangers.patience);
    const signal = count % 2 === 0 ? AbortSignal.any([over, hangUp]) : over;
    const trial = fetch(requestOf('POST', sessionPath, { body, headers, base: url }), { signal });
    trials.push(trial.then((answer) => answer.arrayBuffer()).catch(() => {}));
    await delay(1000 / strangers.perSecond);
  }
  await Promise.all(trials);
}
