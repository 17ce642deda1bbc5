import { clock } from '../runtime.ts';

/** What the process says of itself: bytes, seconds, and when it began, in seconds since 1970. */
export interface ProcessFigures {
  residentBytes: number;
  cpuSeconds: number;
  startedAt: number;
}

/** What this process has used and since when. */
export function processFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAt: clock() / 1000 - process.uptime(),
  };
}
