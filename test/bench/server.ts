import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A server of ours as a process of its own, on data of its own. */
export interface Running {
  port: number;
  pid: number;
  folder: string;
  /** How many lines it has logged about what it limits. */
  warnings: () => number;
  stop: () => Promise<void>;
}

/** @param entry from the top of the project, such as `src/server/start.ts` */
export async function startServer(entry: string, env: Record<string, string> = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const child = spawn(process.execPath, ['--max-old-space-size=512', entry], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      SERVICE_PORT: '0',
      SAMPLE_SUBSCRIBERS: '0',
      DATA_DIR: folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listening = Promise.withResolvers<number>();
  let warnings = 0;
  createInterface(child.stdout).on('line', (line) => {
    const port = / at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) listening.resolve(Number(port));
    if (line.includes('"event":"connections-limited"')) warnings += 1;
  });
  child.once('exit', () => listening.reject(new Error('The server ended.')));
  const port = await listening.promise;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { port, pid: child.pid ?? 0, folder, warnings: () => warnings, stop };
}

/** In MB. */
export const memoryOf = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

export function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
