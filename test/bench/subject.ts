/** What a subject has used so far: bytes of memory, and microseconds of the processor. */
export interface Usage {
  rss: number;
  heap: number;
  cpu: number;
}

/** For a process under measurement: sends the address it listens at, then answers every message with its usage. */
export function serveUsage(url: string): void {
  process.on('message', ({ collect = false }: { collect?: boolean }) => {
    // There by `--expose-gc`: garbage that waits to be collected is no growth.
    if (collect) globalThis.gc?.();
    const { rss, heapUsed: heap } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    process.send?.({ rss, heap, cpu: user + system } satisfies Usage);
  });
  process.on('disconnect', () => process.exit());
  process.send?.(url);
}
