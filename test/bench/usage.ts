/** Loaded before a server's own code: answers the bench with what the process has used so far. */

/** Bytes of memory, and microseconds of the processor. */
export interface Usage {
  rss: number;
  heap: number;
  cpu: number;
}

process.on('message', ({ collect }: { collect: boolean }) => {
  // There by `--expose-gc`: garbage that waits to be collected is no growth.
  if (collect) globalThis.gc?.();
  const { rss, heapUsed: heap } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss, heap, cpu: user + system } satisfies Usage);
});
process.on('disconnect', () => process.exit());
