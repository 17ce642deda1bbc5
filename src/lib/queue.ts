export interface QueueLimits {
  /** Tasks that run at once. */
  atOnce: number;
  /** Most tasks that wait. The next one is refused. */
  mostWaiting: number;
  /** Most time that a task waits, in ms. */
  patience: number;
  /** Makes what a task is refused with. */
  refusal: () => Error;
}

export interface Queue {
  /**
   * Runs a task when it is its turn, in the order of the calls.
   *
   * @param signal ends the wait, for example when the client has disconnected; a running task has to watch it itself
   * @throws {Error} the refusal, if the task never began
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Limits how many tasks run at once, how many wait, and for how long. */
export function createQueue({ atOnce, mostWaiting, patience, refusal }: QueueLimits): Queue {
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = (signal: AbortSignal | undefined) => {
    if (waiting.size >= mostWaiting || signal?.aborted) throw refusal();
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        signal?.removeEventListener('abort', giveUp);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(refusal());
      };
      const timer = setTimeout(giveUp, patience);
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.add(begin);
    });
  };
  return {
    async run(task, signal) {
      if (running >= atOnce) await enter(signal);
      else running += 1;
      try {
        return await task();
      } finally {
        // Passed straight to the next in line, so that a new task cannot overtake it.
        const [next] = waiting;
        if (next) next();
        else running -= 1;
      }
    },
  };
}

/** One queue for each key, for example for each subscriber, for as long as it is in use. */
export function createQueues(limits: QueueLimits): {
  /** Runs a task in the queue of its key. @throws {Error} as `Queue.run` */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
} {
  const queues = new Map<string, { queue: Queue; users: number }>();
  return {
    async run(key, task, signal) {
      const used = queues.get(key) ?? { queue: createQueue(limits), users: 0 };
      queues.set(key, used);
      used.users += 1;
      try {
        return await used.queue.run(task, signal);
      } finally {
        used.users -= 1;
        if (used.users === 0) queues.delete(key);
      }
    },
  };
}
