import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { ViewQuery } from './view.ts';

/** Most subscribers that are kept of a scan, and the time that they are kept, in ms. */
export const scanLimits = { rows: 20_000, lifetime: 10 * 60_000 } as const;

/** The filters of a list, which are the same for each page and order. */
export const ScanFilter = z.omit(ViewQuery, { SortBy: true });
export type ScanFilter = z.infer<typeof ScanFilter>;

/**
 * A list that is found by reading all subscribers, because the service cannot filter it. `stopped`: somebody stopped it, and
 * it has what was found until then; `full`: it found more than are kept.
 */
export const Scan = z.object({
  state: z.enum(['running', 'complete', 'stopped', 'full']),
  /** Number of subscribers read, number to read, and number that match. */
  scanned: z.int(),
  total: z.int(),
  found: z.int(),
  /** When it began, in UTC. */
  at: z.string(),
  /** True if subscribers were changed here since. */
  isOutdated: z.boolean(),
});
export type Scan = z.infer<typeof Scan>;
