/** What only the process has and passes to all other code: the time, randomness, and its own use of resources. */
export const clock = (): number => Date.now();

/**
 * Random bytes, from a stock: asking the system for a few costs as much as for thousands, and every request has an id.
 */
export function random(bytes: number): Uint8Array {
  if (bytes > stock.length) return crypto.getRandomValues(new Uint8Array(bytes));
  if (used + bytes > stock.length) {
    crypto.getRandomValues(stock);
    used = 0;
  }
  const taken = stock.slice(used, used + bytes);
  stock.fill(0, used, used + bytes);
  used += bytes;
  return taken;
}

const stock = new Uint8Array(4096);
let used = stock.length;

/** What the process has used: bytes, seconds; and when it began, in seconds since 1970. */
export interface ProcessFigures {
  residentBytes: number;
  cpuSeconds: number;
  startedAt: number;
}

export function processFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAt: clock() / 1000 - process.uptime(),
  };
}
