/** Loaded before a server's own code: answers the bench with what the process has used so far. */

/**
 * Bytes of memory, and microseconds of the processor. A turn is the longest of the event loop since the last answer; by its
 * thread's time of the processor, which is the same however busy the machine is.
 */
export interface Usage {
  rss: number;
  heap: number;
  cpu: number;
  turn: number;
}

const used = () => Object.values(process.threadCpuUsage()).reduce((sum, part) => sum + part);
let [turn, last] = [0, used()];
setInterval(() => {
  const now = used();
  turn = Math.max(turn, now - last);
  last = now;
}, 1).unref();

process.on('message', ({ collect }: { collect: boolean }) => {
  // There by `--expose-gc`: garbage that waits to be collected is no growth.
  if (collect) globalThis.gc?.();
  const { rss, heapUsed: heap } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss, heap, cpu: user + system, turn } satisfies Usage);
  // What was collected on request is no turn of the server's.
  [turn, last] = [0, used()];
});
process.on('disconnect', () => process.exit());
