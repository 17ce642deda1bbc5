import { queryOptions } from '@tanstack/react-query';
import type { Scan, ScanFilter } from '../../contract/bff/scan.ts';

/** The scan for a list that the service cannot filter. Asking for it keeps it running. */
export const scanQuery = (filter: ScanFilter) =>
  queryOptions({
    queryKey: ['getScan', filter],
    queryFn: async (context): Promise<Scan> => {
      const { readScan } = await import('./trial-scan-bar.tsx');
      return readScan(filter, context);
    },
    // It takes too long to begin again unasked.
    refetchInterval: ({ state }) => state.error === null && state.data?.state === 'running' && 500,
  });
