import { readFileSync } from 'node:fs';
import type { Log } from '../contract/http/log.ts';
import { batchLines } from './batch-lines.ts';
import { sentenceFor } from './cannot-start.ts';
import { readConfig, type Config } from './config/config.ts';
import { createLog } from './log.ts';
import { clock } from './runtime.ts';

export interface Surroundings {
  config: Config;
  log: Log;
  /** A plain line for the person who started this, on a terminal and on a pipe alike. */
  say: (sentence: string) => void;
}

/**
 * Runs a command that serves until it is told to stop: reads the environment, starts, waits for SIGINT, SIGTERM or
 * SIGHUP, stops, and exits with 0; with 1 and a sentence where it cannot start.
 *
 * @param start answers how to stop
 */
export async function runCommand(
  start: (surroundings: Surroundings) => Promise<() => Promise<void>>,
  room: 'desk' | 'service' = 'desk',
): Promise<void> {
  // Whoever read our lines may go away (`npm start | head`); the desk goes on.
  process.stdout.on('error', () => {});
  const { isTTY: terminal } = process.stdout;
  const write = terminal ? writeNow : batchLines(writeNow);
  const told = toldToStop();
  try {
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'), room);
    const log = createLog({ write, terminal, level: config.logLevel, clock });
    const started = start({ config, log, say: (sentence) => write(`${sentence}\n`) });
    // Told to stop while still starting: nothing is under way yet that would have to end well.
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

/** Stays in place after the first signal: one Ctrl-C may arrive twice, from the terminal and by way of npm. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  });
}
