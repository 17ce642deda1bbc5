import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface RunningScript {
  /** The address that it printed. */
  url: string;
  /** All that it wrote so far. */
  output: () => string;
  /** The password of `manager`, where there is one. */
  password: string;
  /** Stops it as Ctrl-C would; what it kept goes too. */
  stop: () => Promise<void>;
}

/**
 * Runs one of the project's commands as a person would, on a free port and in a folder of its own, and waits for the
 * address that it prints.
 */
export async function runScript(
  command: 'start' | 'demo' | 'service',
  extra: Readonly<Record<string, string>> = {},
): Promise<RunningScript> {
  const dataDir = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const env = { DATA_DIR: dataDir, MANAGER_PASSWORD: 'chosen by the operator', ...extra };
  const running = await runProgram('npm', ['run', '--silent', command], env);
  return {
    ...running,
    stop: async () => {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a program on a free port, and waits for the address that it prints. */
export async function runProgram(
  program: string,
  options: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = root,
): Promise<RunningScript> {
  const child = spawn(program, options, {
    cwd,
    env: { ...process.env, PORT: '0', SERVICE_PORT: '0', NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the signal reaches npm and what it started, as from a terminal.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const url = await waitFor(
    child,
    () => /\bat (https?:\S+?)\.?\s/.exec(output)?.[1],
    () => output,
  );
  return {
    url,
    output: () => output,
    password: env['MANAGER_PASSWORD'] ?? '',
    stop: async () => {
      // Closed when everything that it started has let go of its output.
      const ended = once(child, 'close');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}

/** Looks again whenever the process writes; gives up when it ends. */
async function waitFor(
  child: ChildProcess,
  look: () => string | undefined,
  output: () => string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const again = () => {
      const found = look();
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', again);
    child.on('exit', () => reject(new Error(`It ended before it was ready:\n${output()}`)));
    again();
  });
}
