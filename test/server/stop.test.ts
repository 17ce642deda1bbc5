import { Agent, request, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcess } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';
import { roundsOf } from '../support/setup/rounds.ts';

test.each(Array.from({ length: roundsOf(1, 50) }, (_, round) => round + 1))(
  'stop %i of a server under load fails no request that it began to read, and its readiness before',
  async () => {
    const { failures, answered, logged, exitCode, took, readiness } = await stopUnderLoad();
    expect({ failures, exitCode, unanswered: logged - answered }).toEqual({
      failures: [],
      exitCode: 0,
      unanswered: 0,
    });
    expect(took).toBeLessThan(15_000);
    expect(new Set(readiness)).toEqual(new Set([200, 503]));
    expect(readiness.at(-1)).toBe(503);
  },
);

test.each(['SIGINT', 'SIGHUP'] as const)(
  '%s stops what a command has started, and it ends well',
  async (signal) => {
    const command = startProcess([
      '--input-type=module',
      '-e',
      `import { runCommand } from './src/server/run-command.ts';
       await runCommand(async ({ say }) => {
         const running = setInterval(() => {}, 1000);
         say('started');
         return async () => { clearInterval(running); say('stopped'); };
       });`,
    ]);
    await command.line(/^started$/);
    command.signal(signal);
    expect(await command.ended).toEqual({ code: 0, stdout: 'started\nstopped\n', stderr: '' });
  },
);

const callers = 8;
const answersBefore = 200;

/**
 * Starts a server, puts it under load, tells it to stop, and goes on asking until nothing answers.
 *
 * @returns what callers saw, who sent requests without a pause; `took` is from the signal to the end, in ms
 */
async function stopUnderLoad() {
  const env = { PORT: '0', DATA_DIR: join(temporaryFolder(), 'data'), SAMPLE_SUBSCRIBERS: '0' };
  const server = startProcess(
    ['--import', './test/support/server/long-announcement.ts', 'src/server/main.ts', 'start'],
    env,
  );
  const [, url = ''] = await server.line(/^Subscriber Desk is running at (http:\S+)$/);
  await server.errorLine(/^Sign in as manager with the one-time password \S{23}$/);
  const enough = Promise.withResolvers<void>();
  const seen = {
    /** Whole answers that callers got. */
    answered: 0,
    /** Codes of requests that broke off on a connection that had been good before, or within their answer. */
    failures: [] as string[],
    /** Statuses of readiness, in order. */
    readiness: [] as number[],
  };

  /** Asks one after the other until nobody is there any more. */
  async function keepAsking(asks: readonly Ask[], note: (status: number) => void) {
    for (let count = 0; ; count += 1) {
      const { status, failure } = await askOnce(url, asks[count % asks.length] ?? { path: '/' });
      if (failure !== null) seen.failures.push(failure);
      else if (status === null) return;
      else note(status);
      if (status !== null && (seen.answered += 1) >= answersBefore) enough.resolve();
    }
  }
  const load = Array.from({ length: callers }, async (_, caller) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const asks = asksOf(url, caller).map((one) => ({ ...one, agent }));
    // They begin with different requests.
    await keepAsking([...asks.slice(caller % asks.length), ...asks.slice(0, caller % asks.length)], () => {});
    agent.destroy();
  });
  // As a load balancer does, each time on a connection of its own.
  const readiness = keepAsking(
    [{ path: '/readyz', agent: false }],
    (status) => void seen.readiness.push(status),
  );
  await enough.promise;
  const reported = performance.now();
  server.signal('SIGTERM');
  const { code } = await server.ended;
  const took = performance.now() - reported;
  await Promise.all([...load, readiness]);
  const logged = server.output().match(/"event":"request","method"/g)?.length ?? 0;
  return { exitCode: code, took, logged, ...seen };
}

type Ask = RequestOptions & { path: string; body?: string };

function asksOf(url: string, caller: number): Ask[] {
  const headers = { 'X-CSRF': '1', Origin: url };
  const credentials = { name: `nobody ${caller}`, password: 'wrong' };
  return [
    { path: '/' },
    { path: '/bff/session', headers },
    {
      path: '/bff/session',
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    },
  ];
}

/** The status of an answer; or why it broke off; or neither, where nobody is there. */
function askOnce(url: string, { body, ...options }: Ask) {
  return new Promise<{ status: number | null; failure: string | null }>((resolve) => {
    let begun = false;
    const requested = request(url, options, (answer) => {
      begun = true;
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, failure: null }));
      answer.on('error', (error) => resolve({ status: null, failure: error.message }));
    });
    requested.on('error', (error) => {
      // A connection that was never accepted brought no request in.
      const isOver = !begun && !requested.reusedSocket;
      resolve({ status: null, failure: isOver ? null : error.message });
    });
    requested.end(body);
  });
}
