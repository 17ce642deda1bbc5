import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { deskCommands } from '../../../src/server/commands/desk-commands.ts';
import { serviceCommands } from '../../../src/server/commands/service-clients.ts';
import { readConfig, type Program } from '../../../src/server/config/config.ts';
import { stopTimes } from '../../../src/server/http/listen.ts';
import { createLog } from '../../../src/server/log.ts';
import { runOnce, type CommandContext } from '../../../src/server/run-command.ts';
import { clock } from '../../../src/server/runtime.ts';
import { serveService } from '../../../src/server/service/serve.ts';
import { startServer } from '../../../src/server/start-server.ts';
import { temporaryFolder, whenOver } from './temporary-folder.ts';

type Env = Readonly<Record<string, string>>;

// No load balancer asks these servers whether they are about to stop.
stopTimes.announce = 0;

/**
 * `npm start` in this process, on any free port and in a folder of its own: until the test is over, or the file's tests
 * where it is called outside of any, but in no hook.
 *
 * @throws {CannotStart} as the command does
 */
export const openServer = (env: Env = {}) => open(startServer, 'server', env);

/** `npm run service` in this process. */
export const openService = (env: Env = {}) => open(serveService, 'service', env);

async function open(start: Start, program: Program, env: Env) {
  const folder = env['DATA_DIR'] ?? join(temporaryFolder(), 'data');
  const started = startInProcess(start, program, { SAMPLE_SUBSCRIBERS: '0', DATA_DIR: folder, ...env });
  whenOver(async () => (await started.catch(() => null))?.stop());
  return { ...(await started), folder };
}

type Start = (context: CommandContext) => Promise<{ url: string; stop: () => Promise<void> }>;

/** Starts a command that serves, in this process, until it is stopped. */
export async function startInProcess(start: Start, program: Program, env: Env) {
  const { said, say, sayApart } = listenTo();
  const read = (path: string) => readFileSync(path, 'utf8');
  const config = readConfig({ PORT: '0', SERVICE_PORT: '0', ...env }, read, program);
  // OpenTelemetry reads its own variables, from the process.
  for (const [name, value] of Object.entries(env)) if (name.startsWith('OTEL_')) vi.stubEnv(name, value);
  const write = (line: string) => void (said.stdout += line);
  const log = createLog({ write, terminal: false, level: config.LOG_LEVEL, clock });
  const { url, stop } = await start({ config, log, say, sayApart });
  let stopped: Promise<void> | undefined;
  return {
    url,
    /** All that it printed: what begins with `{` is a line of the log. */
    output: () => said.stdout,
    /** Complaints past the log. */
    complaints: () => said.stderr,
    stop: () => (stopped ??= stop()),
  };
}

/** `npm run desk -- NAME …` in this process. */
export const runDesk = (env: Env, ...words: string[]) => run('server', env, words);

/** `npm run service -- NAME …` in this process. */
export async function runService(env: Env, ...words: string[]) {
  const ended = await run('service', env, words);
  return { ...ended, secret: /^Client secret: (\S{43})$/m.exec(ended.stdout)?.[1] ?? '' };
}

async function run(program: Program, env: Env, words: readonly string[]) {
  const { said, ...lines } = listenTo();
  const commands = program === 'server' ? deskCommands : serviceCommands;
  const code = await runOnce(program, commands, words, { env, ...lines });
  return { code, ...said };
}

function listenTo() {
  const said = { stdout: '', stderr: '' };
  return {
    said,
    say: (sentence: string) => void (said.stdout += `${sentence}\n`),
    sayApart: (sentence: string) => void (said.stderr += `${sentence}\n`),
  };
}
