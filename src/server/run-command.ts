import { readFileSync } from 'node:fs';
import type { Log } from '../contract/http/log.ts';
import { CannotStart, sentenceFor } from './cannot-start.ts';
import { readConfig, type Config, type Program } from './config/config.ts';
import { batchLines, createLog } from './log.ts';
import { clock } from './runtime.ts';

/** What a command that serves gets. */
export interface CommandContext {
  config: Config;
  log: Log;
  /** Prints a plain line, on a terminal and on a pipe alike. */
  say: (sentence: string) => void;
}

/**
 * Runs a command that serves until it is told to stop: reads the environment, starts, waits for SIGINT, SIGTERM or
 * SIGHUP, stops, and exits with 0; with 1 and a sentence where it cannot start.
 *
 * @param start returns how to stop
 */
export async function runCommand(
  start: (context: CommandContext) => Promise<() => Promise<void>>,
  program: Program = 'server',
): Promise<void> {
  // The reader of our output may go away (`npm start | head`); the server goes on.
  process.stdout.on('error', () => {});
  const { isTTY: terminal } = process.stdout;
  const write = terminal ? writeNow : batchLines(writeNow);
  const told = toldToStop();
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'), program);
    const log = createLog({ write, terminal, level: config.logLevel, clock });
    const started = start({ config, log, say: (sentence) => write(`${sentence}\n`) });
    // Told to stop while still starting: no request is under way yet that would have to end well.
    const stop = await Promise.race([started, told.then(() => null)]);
    await told;
    await stop?.();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n`);
    process.exit(1);
  }
}

function writeNow(text: string): void {
  process.stdout.write(text);
}

/** The listeners stay after the first signal: one Ctrl-C may arrive twice, from the terminal and from npm. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  });
}

/**
 * A command that does one thing and ends. It answers whether all went well, which becomes the exit code.
 *
 * @throws {CannotStart} where it cannot do its work at all
 */
export type Command = (given: {
  config: Config;
  /** What follows its name on the command line. */
  options: readonly string[];
  say: (sentence: string) => void;
}) => Promise<boolean>;

/** Runs one command by its name, as in `npm run desk -- NAME …`: exit code 0 when all went well, else 1. */
export async function runOnce(
  program: Program,
  commands: Readonly<Record<string, Command>>,
  [name = '', ...options]: readonly string[],
): Promise<void> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const script = program === 'server' ? 'desk' : 'service';
    if (!command)
      throw new CannotStart(
        `Say what to do: npm run ${script} -- COMMAND, with one of: ${Object.keys(commands).join(', ')}.`,
      );
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'), program);
    const say = (sentence: string) => writeNow(`${sentence}\n`);
    process.exitCode = (await command({ config, options, say })) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${sentenceFor(error)}\n`);
    process.exitCode = 1;
  }
}
