import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What argon2id is to be made of: memory in KiB, the length in bytes. */
export interface Hashable {
  message: string;
  nonce: Uint8Array;
  tagLength: number;
  memory: number;
  passes: number;
  parallelism: number;
}

/** What goes to the thread and comes back. */
export type HashTask = Hashable & { id: number };
export type Hashed = { id: number; bytes?: Uint8Array; failure?: string };

type Waiting = PromiseWithResolvers<Uint8Array>;

/**
 * Hashes with argon2id. One hash takes a processor for some 50 ms: on the threads that Node itself works with, a few
 * hundred who sign in at once would be felt by everybody. So there is one thread for it, which comes last.
 */
export function hashInTurn(hashable: Hashable): Promise<Uint8Array> {
  const own = (thread ??= startThread());
  const id = (lastId += 1);
  const waiting: Waiting = Promise.withResolvers();
  own.waiting.set(id, waiting);
  // While somebody waits, the process does too.
  own.worker.ref();
  own.worker.postMessage({ id, ...hashable } satisfies HashTask, []);
  return waiting.promise;
}

let lastId = 0;
let thread: Thread | null = null;

interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

function startThread(): Thread {
  const waiting: Thread['waiting'] = new Map();
  const worker = new Worker(join(import.meta.dirname, 'hashing-thread.ts'), {
    name: 'hashing',
    execArgv: [],
  });
  worker.on('message', ({ id, bytes, failure }: Hashed) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (bytes) one?.resolve(bytes);
    else one?.reject(new Error(failure));
  });
  const end = (error: Error) => {
    // The next who asks starts another.
    if (thread?.worker === worker) thread = null;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', (error) =>
    end(error instanceof Error ? error : new Error('The hashing thread failed.')),
  );
  worker.on('exit', () => end(new Error('The hashing thread ended.')));
  return { worker, waiting };
}
