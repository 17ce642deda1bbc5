import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { startProcess } from './start-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What callers saw of a server that was told to stop while they sent requests without a pause. */
export interface Stop {
  exitCode: number | null;
  /** From the signal to the end of the process, in ms. */
  took: number;
  /** Whole answers that callers got, and requests that the server logged as answered. */
  answered: number;
  logged: number;
  /** Codes of requests that broke off on a connection that had been good before, or within their answer. */
  failures: string[];
  /** Statuses of readiness, in order. */
  readiness: number[];
}

const callers = 8;
const answersBefore = 200;

/** Starts a server, puts it under load, sends the signal, and goes on asking until nothing answers. */
export async function stopUnderLoad(signal: NodeJS.Signals): Promise<Stop> {
  const env = { PORT: '0', DATA_DIR: join(temporaryFolder(), 'data'), SAMPLE_SUBSCRIBERS: '0' };
  const server = startProcess(
    ['--import', './test/support/server/long-announcement.ts', 'src/server/start.ts'],
    env,
  );
  const url = (await server.line(/^Subscriber Desk is running at (http:\S+)$/))[1] ?? '';
  await server.errorLine(/^Sign in as/);
  const enough = Promise.withResolvers<void>();
  const seen = { answered: 0, failures: [] as string[], readiness: [] as number[] };
  const note = (end: End) => {
    if (end.failure !== null) seen.failures.push(end.failure);
    if (end.status !== null) seen.answered += 1;
    if (seen.answered >= answersBefore) enough.resolve();
  };
  const load = Array.from({ length: callers }, (_, caller) => askOn(url, caller, note));
  const readiness = askReadiness(url, (end) => {
    note(end);
    if (end.status !== null) seen.readiness.push(end.status);
  });
  await enough.promise;
  const told = performance.now();
  server.signal(signal);
  const { code } = await server.ended;
  const took = performance.now() - told;
  await Promise.all([...load, readiness]);
  const logged = server.output().match(/"event":"request","method"/g)?.length ?? 0;
  return { exitCode: code, took, logged, ...seen };
}

interface End {
  status: number | null;
  failure: string | null;
  /** Nobody is there any more. */
  over: boolean;
}

type Ask = Parameters<typeof request>[1] & { body?: string };

async function askOn(url: string, caller: number, note: (end: End) => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'X-CSRF': '1', Origin: url };
  const asks: [string, Ask][] = [
    ['/', {}],
    ['/bff/session', { headers }],
    [
      '/bff/session',
      {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: `nobody ${caller}`, password: 'wrong' }),
      },
    ],
  ];
  for (let count = caller; ; count += 1) {
    const [path, ask] = asks[count % asks.length] ?? ['/', {}];
    const end = await askOnce(url + path, { ...ask, agent });
    note(end);
    if (end.over) break;
  }
  agent.destroy();
}

/** As a load balancer does, each time on a connection of its own. */
async function askReadiness(url: string, note: (end: End) => void): Promise<void> {
  for (;;) {
    const end = await askOnce(`${url}/readyz`, { agent: false });
    note(end);
    if (end.over) return;
  }
}

function askOnce(url: string, { body, ...options }: Ask): Promise<End> {
  return new Promise((resolve) => {
    let begun = false;
    const asked = request(url, options, (answer) => {
      begun = true;
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, failure: null, over: false }));
      answer.on('error', (error) => resolve({ status: null, failure: error.message, over: false }));
    });
    asked.on('error', (error) => {
      // A connection that was never accepted brought no request in.
      const over = !begun && !asked.reusedSocket;
      resolve({ status: null, failure: over ? null : error.message, over });
    });
    asked.end(body);
  });
}
