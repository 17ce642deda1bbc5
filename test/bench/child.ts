import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  /** Sends a message and waits for its answer. One at a time. */
  ask<Answer>(message: unknown): Promise<Answer>;
  stop: () => Promise<void>;
}

/**
 * Runs a TypeScript file of this folder as a process of its own. What it prints is read and dropped.
 *
 * @returns the process, with the first message that it sent
 */
export async function startChild(
  file: string,
  options: readonly string[] = [],
): Promise<{ child: Child; first: string }> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const process = fork(path, options, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  process.stdout?.resume();
  const first = await nextMessage<string>(process);
  const ask = <Answer>(message: unknown) => {
    const answer = nextMessage<Answer>(process);
    process.send(Object(message));
    return answer;
  };
  return { child: { ask, stop: () => stop(process) }, first };
}

/** @throws where the process ends before it says anything */
function nextMessage<Message>(process: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const end = () =>
      reject(new Error('A process of the bench ended before it answered. See its message above.'));
    process.once('exit', end);
    // What our own files send each other: both ends name the type.
    process.once('message', (message) => {
      process.off('exit', end);
      resolve(message as Message);
    });
  });
}

async function stop(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, 'exit');
  process.kill('SIGKILL');
  await ended;
}
