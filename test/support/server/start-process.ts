import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A command as a real process, with no environment but what a test gives it. */
export function startProcess(options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const started = keepRunning(options, env);
  onTestFinished(() => void started.signal('SIGKILL'));
  return started;
}

/** The same, without an end at the test's end. */
export function keepRunning(options: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watch of watchers) watch();
  };
  child.stdout.on('data', (part) => {
    stdout += String(part);
    notify();
  });
  child.stderr.on('data', (part) => {
    stderr += String(part);
    notify();
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

  function waitFor(text: () => string, pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = text()
          .split('\n')
          .slice(0, -1)
          .map((each) => pattern.exec(each))
          .find(Boolean);
        if (found) watchers.delete(look);
        if (found) resolve(found);
      };
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`It ended without ${pattern}.\n${stdout}${stderr}`)));
    });
  }
  return {
    /** Waits for a line, and gives what its groups caught. */
    line: (pattern: RegExp) => waitFor(() => stdout, pattern),
    /** The same for a line that it complains with. */
    errorLine: (pattern: RegExp) => waitFor(() => stderr, pattern),
    ended,
    pid: child.pid ?? 0,
    output: () => stdout,
    /** What it complained of. */
    complaints: () => stderr,
    signal: (name: NodeJS.Signals) => child.kill(name),
  };
}
