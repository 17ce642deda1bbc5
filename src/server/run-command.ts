import { readFileSync } from 'node:fs';
import type { Log } from '../lib/log.ts';
import { CannotStart, sentenceFor } from './cannot-start.ts';
import { readConfig, type Config, type Program } from './config/config.ts';
import { commandLines } from './installation.ts';
import { batchLines, createLog } from './log.ts';
import { clock } from './runtime.ts';

/** Context of a command that serves. */
export interface CommandContext {
  config: Config;
  log: Log;
  /** Prints a plain line, whether to a terminal or a pipe. */
  say: (sentence: string) => void;
  /** Prints a plain line to standard error: what no log may keep. */
  sayApart: (sentence: string) => void;
}

/**
 * Runs a command that serves until it is told to stop: reads the environment, starts, waits for SIGINT, SIGTERM or
 * SIGHUP, stops, and exits with 0. If it cannot start, it prints why and exits with 1.
 *
 * @param start returns a function that stops
 */
export async function runCommand(
  start: (context: CommandContext) => Promise<() => Promise<void>>,
  program: Program = 'server',
): Promise<void> {
  const { isTTY: terminal } = process.stdout;
  const write = terminal ? writeNow : batchLines(writeNow);
  const stopRequested = waitForStop();
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'), program);
    const log = createLog({ write, terminal, level: config.LOG_LEVEL, clock });
    const started = start({
      config,
      log,
      say: (sentence) => write(`${sentence}\n`),
      sayApart: (sentence) => void process.stderr.write(`${sentence}\n`),
    });
    // If told to stop while starting, it exits at once: no request is running yet.
    const stop = await Promise.race([started, stopRequested.then(() => null)]);
    await stopRequested;
    await stop?.();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n`);
    process.exit(1);
  }
}

// The reader of our output may go away (`npm start | head`). A server keeps running, and a command ends as it would have.
process.stdout.on('error', () => {});

function writeNow(text: string): void {
  process.stdout.write(text);
}

/** Keeps its listeners after the first signal, because one Ctrl-C may arrive twice: from the terminal and from npm. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  });
}

/**
 * A command that does one thing and ends.
 *
 * @returns whether all went well, which becomes the exit code
 * @throws {CannotStart} if it cannot do its work
 */
export type Command = (given: {
  config: Config;
  /** The words after its name on the command line. */
  options: readonly string[];
  say: (sentence: string) => void;
}) => Promise<boolean>;

/** Where a command runs that does one thing: what it reads, and where its lines go. */
interface Terminal extends Pick<CommandContext, 'say' | 'sayApart'> {
  env: Readonly<Record<string, string | undefined>>;
}

export const thisProcess: Terminal = {
  env: process.env,
  say: (sentence) => writeNow(`${sentence}\n`),
  sayApart: (sentence) => void process.stderr.write(`${sentence}\n`),
};

/**
 * Runs one command by its name, as in `npm run desk -- NAME …`.
 *
 * @returns the exit code: 0 if all went well, else 1
 */
export async function runOnce(
  program: Program,
  commands: Readonly<Record<string, Command>>,
  [name = '', ...options]: readonly string[],
  { env, say, sayApart }: Terminal,
): Promise<0 | 1> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const commandLine = commandLines[program === 'server' ? 'desk' : 'service'];
    if (!command)
      throw new CannotStart(
        `Give a command: ${commandLine} COMMAND. The commands are: ${Object.keys(commands).join(', ')}.`,
      );
    const config = readConfig(env, (path) => readFileSync(path, 'utf8'), program);
    return (await command({ config, options, say })) ? 0 : 1;
  } catch (error) {
    sayApart(sentenceFor(error));
    return 1;
  }
}
