/** The thread that hashes passwords, one after the other, in the time that everything else leaves. */
import { argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Hashed, HashTask } from './hashing.ts';

// On Linux this is the thread’s own (setpriority(2)), and little, so that a busy machine still lets people in; elsewhere
// it would be that of the whole desk.
if (process.platform === 'linux') setPriority(5);

parentPort?.on('message', ({ id, ...parameters }: HashTask) => {
  parentPort?.postMessage({ id, ...hash(parameters) } satisfies Hashed, []);
});

function hash(parameters: Omit<HashTask, 'id'>): Omit<Hashed, 'id'> {
  try {
    return { bytes: argon2Sync('argon2id', parameters) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : 'unknown reason' };
  }
}
