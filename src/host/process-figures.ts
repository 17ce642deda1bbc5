import type { ProcessFigures } from '../bff/bff.ts';
import { clock } from './place.ts';

/** What this process has used and since when. */
export function processFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAt: clock() / 1000 - process.uptime(),
  };
}
