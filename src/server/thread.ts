import { Worker } from 'node:worker_threads';
import { threadFile } from './installation.ts';

/**
 * A thread that answers messages one after the other. It starts with the first message, and anew after it failed. It
 * keeps the process alive only while an answer is awaited.
 *
 * @param file its path in `src/server`, without the ending
 * @param workerData what the thread gets when it starts
 */
export function createThread<Answer>(file: string, workerData?: unknown) {
  let isClosed = false;
  let running: { worker: Worker; waiting: PromiseWithResolvers<Answer>[] } | null = null;
  const start = () => {
    const worker = new Worker(threadFile(file), { name: file, workerData, execArgv: [] });
    const waiting: PromiseWithResolvers<Answer>[] = [];
    const own = { worker, waiting };
    worker.on('message', (answer: Answer) => {
      waiting.shift()?.resolve(answer);
      if (waiting.length === 0) worker.unref();
    });
    const end = (error: unknown) => {
      if (running === own) running = null;
      for (const { reject } of waiting.splice(0)) reject(error);
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error(`The thread ${file} ended.`)));
    return own;
  };
  return {
    ask(message: unknown): Promise<Answer> {
      if (isClosed) return Promise.reject(new Error(`The thread ${file} is closed.`));
      const { worker, waiting } = (running ??= start());
      const answer = Promise.withResolvers<Answer>();
      waiting.push(answer);
      worker.ref();
      worker.postMessage(message, []);
      return answer.promise;
    },
    async close(): Promise<void> {
      isClosed = true;
      await running?.worker.terminate();
    },
  };
}
