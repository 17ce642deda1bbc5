import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Usage } from './usage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const preloaded = new URL('usage.ts', import.meta.url).href;

/** The password of `manager`. */
export const password = 'a password of the bench alone';

/** A server as a process of its own, on data of its own. */
export interface Running {
  url: string;
  folder: string;
  /** Its usage so far; garbage is collected before on request. */
  usage: (collect?: boolean) => Promise<Usage>;
  /** Number of lines that it has logged about what it limits. */
  warnings: () => number;
  stop: () => Promise<void>;
}

/**
 * Runs a server, and waits for the address that it prints.
 *
 * @param command a file from the top of the project, and its first words, such as `src/server/main.ts start`
 * @throws where it ends before
 */
export async function startProcess(
  command: string,
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Running> {
  const [file = '', ...words] = command.split(' ');
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const child = fork(join(root, file), [...words, ...options], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      SERVICE_PORT: '0',
      SAMPLE_SUBSCRIBERS: '0',
      MANAGER_PASSWORD: password,
      DATA_DIR: folder,
      ...env,
    },
    execArgv: ['--max-old-space-size=512', '--expose-gc', '--import', preloaded],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const listening = Promise.withResolvers<string>();
  let warnings = 0;
  child.stdout?.on('data', (part) => {
    const url = / at (http:\/\/127\.0\.0\.1:\d+)/.exec(String(part))?.[1];
    if (url !== undefined) listening.resolve(url);
    warnings += String(part).split('"event":"connections-limited"').length - 1;
  });
  child.once('exit', () => listening.reject(new Error(`${file} ended.`)));
  const url = await listening.promise;
  return {
    url,
    folder,
    usage: async (collect = false) => {
      child.send({ collect });
      const [usage]: Usage[] = await once(child, 'message');
      if (!usage) throw new Error(`${file} said nothing of its usage.`);
      return usage;
    },
    warnings: () => warnings,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The BFF of `npm start` before another service, behind a proxy. */
export const startBff = (upstream: string, variables: Readonly<Record<string, string>> = {}) =>
  startProcess('src/server/main.ts start', {
    READS_PER_SECOND: '0',
    METRICS_TOKEN: 'so-that-figures-are-kept',
    TRUSTED_PROXIES: '127.0.0.1',
    UPSTREAM_URL: upstream,
    UPSTREAM_CLIENT_ID: 'bench',
    UPSTREAM_CLIENT_SECRET: 'bench-secret',
    UPSTREAM_SCOPE_READ: 'read',
    UPSTREAM_SCOPE_WRITE: 'write',
    ...variables,
  });
