import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { whenOver } from './temporary-folder.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * A command as a real process, with no environment but what a test gives it. It ends with the test.
 *
 * @param isGroup whether what it starts ends with it
 */
export function startProcess(
  options: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  { program = process.execPath, cwd = root, isGroup = false } = {},
) {
  const child = spawn(program, options, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  });
  const { pid = 0 } = child;
  const said = { stdout: '', stderr: '' };
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...said }));
  });
  whenOver(async () => {
    if (isGroup) process.kill(-pid, 'SIGKILL');
    else child.kill('SIGKILL');
  });
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part) => void (said[name] += String(part)));

  const waitFor = (name: 'stdout' | 'stderr', pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const lines = said[name].split('\n').slice(0, -1);
        const found = lines.map((line) => pattern.exec(line)).find(Boolean);
        if (found) resolve(found);
      };
      look();
      child[name].on('data', look);
      void ended.then(() => reject(new Error(`It ended without ${pattern}.\n${said.stdout}${said.stderr}`)));
    });
  return {
    /** Waits for a line, and gives what its groups caught. */
    line: (pattern: RegExp) => waitFor('stdout', pattern),
    /** The same for a line that it complains with. */
    errorLine: (pattern: RegExp) => waitFor('stderr', pattern),
    ended,
    pid,
    output: () => said.stdout,
    /** Its complaints. */
    complaints: () => said.stderr,
    signal: (name: NodeJS.Signals) => child.kill(name),
  };
}
