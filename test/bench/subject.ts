/** What a subject has used so far: bytes of memory, and microseconds of the processor. */
export interface Usage {
  rss: number;
  heap: number;
  cpu: number;
}

/** Says from within a process under measurement where it listens, and answers every question with what it uses. */
export function standBy(url: string): void {
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
