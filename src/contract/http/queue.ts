import { Refusal } from './refusal.ts';

export interface QueueLimits {
  /** Tasks that run at once. */
  atOnce: number;
  /** Tasks that may wait besides; the next is refused. */
  mostWaiting: number;
  /** Milliseconds that a task waits at most. */
  patience: number;
  /** What a task is refused with; `busy` unless given. */
  refusal?: () => Refusal;
}

export interface Queue {
  /**
   * Runs a task in its turn: in the order in which they came.
   *
   * @param signal gives up the wait, such as when the client has gone; a task that runs has to listen to it by itself
   * @throws {Refusal} where the task never began
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Limits how many tasks run at once, how many wait, and for how long. */
export function createQueue({ atOnce, mostWaiting, patience, refusal = queueBusy }: QueueLimits): Queue {
  const waiting = new Set<() => void>();
  let running = 0;
  const turn = (signal: AbortSignal | undefined) => {
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
      if (running >= atOnce) await turn(signal);
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

const queueBusy = () =>
  new Refusal(
    'busy',
    'Too much is being done at this moment. Nothing was changed. Try again in a few seconds.',
    {
      headers: { 'Retry-After': '5' },
    },
  );
