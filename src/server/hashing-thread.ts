/** Hashes passwords one after the other, on a thread of low priority. */
import { argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashParameters, HashResult } from './passwords.ts';

// On Linux this is the thread's own priority (setpriority(2)); elsewhere it would be that of the whole process.
try {
  if (process.platform === 'linux') setPriority(5);
} catch {
  // A sandbox forbids it, as systemd's `@resources` does: then hashing delays others a little more.
}

parentPort?.on('message', (parameters: HashParameters) => parentPort?.postMessage(hash(parameters), []));

function hash(parameters: HashParameters): HashResult {
  try {
    return { bytes: argon2Sync('argon2id', parameters) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : 'unknown reason' };
  }
}
