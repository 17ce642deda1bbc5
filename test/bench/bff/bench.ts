import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'undici';
import { apiBase } from '../../../src/contract/bff/paths.ts';
import { ownPage } from '../../support/bff/browser.ts';
import { addPeople } from '../people.ts';
import { startBff, startProcess, type Running } from '../processes.ts';
import { inRounds, median, p99, row, say } from '../report.ts';
import type { Bench } from '../run.ts';
import { exchange } from './exchange.ts';

const connectionCounts = [1, 16, 64];
const rounds = 5;

/** One of those that are measured side by side. */
interface Subject {
  server: Running;
  /** Where its list of subscribers is. */
  list: string;
}

/** The BFF as a proxy of the service, beside others that do the same job: check, parse, mask and write. */
export const benchBff: Bench = async ({ seconds, memory }) => {
  const bare = await startProcess('test/bench/bff/upstream.ts');
  const beside = (name: string) => startProcess('test/bench/bff/proxies.ts', {}, [name, bare.url]);
  const bff = await startBff(bare.url);
  const dialect = join(bff.folder, 'dialect.json');
  writeFileSync(dialect, JSON.stringify({ include: 'repeat', maxPageSize: 100, timeZone: 'Europe/Oslo' }));
  const translating = await startBff(bare.url, { UPSTREAM_DIALECT: dialect });
  const subjects: Record<string, Subject> = {
    'the service itself': { server: bare, list: '/subscribers' },
    'fastify, passing on': { server: await beside('passing'), list: `${apiBase}/subscribers` },
    'fastify, same job': { server: await beside('fastify'), list: `${apiBase}/subscribers` },
    'Subscriber Desk': { server: bff, list: `${apiBase}/subscribers` },
    'with a dialect': { server: translating, list: `${apiBase}/subscribers` },
  };
  // All subjects get such headers, so that none has less to read.
  const [Cookie = ''] = (await addPeople(bff.folder)).cookies;
  const [other = ''] = (await addPeople(translating.folder)).cookies;
  const ask = createAsk(({ server }) => ({
    ...ownPage,
    Cookie: server === translating ? other : Cookie,
    Accept: 'application/json',
  }));
  try {
    if (memory > 0) await watchMemory({ server: bff, list: `${apiBase}/subscribers` }, ask, memory);
    else await compare(subjects, ask, seconds);
  } finally {
    await Promise.all(Object.values(subjects).map(({ server }) => server.stop()));
  }
};

type Ask = ReturnType<typeof createAsk>;

/** A function that asks a subject over so many connections, each with its next request as soon as its last is answered. */
function createAsk(headersFor: (subject: Subject) => Record<string, string>) {
  let page = 0;
  const askOnce = async (client: Client, list: string, headers: Record<string, string>) => {
    const requested = performance.now();
    // No two are the same: the BFF shares one call between identical reads under way at once.
    page += 1;
    const path = `${list}?PageSize=42&Page=${page}`;
    const { status, body } = await exchange(client, { method: 'GET', path, headers });
    // An error is answered faster than a page of subscribers, and would make a good figure.
    if (status !== 200 || body.length < 10_000)
      throw new Error(`Answered with ${status}: ${body.toString()}`);
    return performance.now() - requested;
  };
  return async (subject: Subject, connections: number, seconds: number) => {
    const { server, list } = subject;
    const headers = headersFor(subject);
    const clients = Array.from({ length: connections }, () => new Client(server.url));
    const times: number[] = [];
    const { cpu } = await server.usage();
    const began = performance.now();
    const askOn = async (client: Client) => {
      while (performance.now() - began < seconds * 1000) times.push(await askOnce(client, list, headers));
    };
    await Promise.all(clients.map(askOn));
    const perSecond = (times.length / (performance.now() - began)) * 1000;
    const used = (await server.usage()).cpu - cpu;
    await Promise.all(clients.map((client) => client.close()));
    const requests = times.length;
    return { requests, perSecond, p50: median(times), p99: p99(times), cpu: used / requests };
  };
}

/** Requests until the engine has compiled what they take: a service runs for days, not for the first seconds. */
async function warmUp(subject: Subject, ask: Ask): Promise<void> {
  for (let requests = 0; requests < 40_000;) requests += (await ask(subject, 16, 1)).requests;
}

async function compare(subjects: Record<string, Subject>, ask: Ask, seconds: number): Promise<void> {
  for (const subject of Object.values(subjects)) await warmUp(subject, ask);
  for (const connections of connectionCounts) {
    const measured = await inRounds(subjects, rounds, async (subject) => [
      await ask(subject, connections, seconds),
    ]);
    say();
    say(row(`connections: ${connections}`, 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs'));
    for (const [name, results] of Object.entries(measured)) {
      const of = (figure: 'perSecond' | 'p50' | 'p99' | 'cpu', digits: number) =>
        median(results.map((result) => result[figure])).toFixed(digits);
      say(row(name, of('perSecond', 0), of('p50', 2), of('p99', 2), of('cpu', 0)));
    }
  }
}

/** Checks that the server's memory stays flat under load. */
async function watchMemory(bff: Subject, ask: Ask, minutes: number): Promise<void> {
  const samples = 20;
  // Code that is compiled and buffers that are kept come with the first load, and stay.
  await warmUp(bff, ask);
  say(row('minutes', 'RSS MB', 'heap MB', 'requests'));
  for (let [sample, requests] = [0, 0]; sample <= samples; sample += 1) {
    if (sample > 0) requests += (await ask(bff, 16, (minutes * 60) / samples)).requests;
    const { rss, heap } = await bff.server.usage(true);
    const minute = ((sample * minutes) / samples).toFixed(1);
    say(row(minute, (rss / 1e6).toFixed(0), (heap / 1e6).toFixed(0), requests));
  }
}
