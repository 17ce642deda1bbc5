import { Failure } from '../components/failure.tsx';
import { isOutage } from './error-kinds.ts';

/** What this module needs to know of a query's result. */
interface Read {
  data: unknown;
  isError: boolean;
  error: Error | null;
  failureReason: Error | null;
  errorUpdateCount: number;
  isPlaceholderData: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * Whether a part of the screen has to show that its read failed. It stays so while the read is tried again, when the
 * query only has the data of the address before. An outage that leaves the earlier answer on the screen is shown once
 * for the whole page, by the banner on top.
 */
export function hasFailed(read: Omit<Read, 'isFetching' | 'refetch' | 'failureReason'>): boolean {
  if (read.isPlaceholderData) return read.errorUpdateCount > 0;
  return read.isError && (read.data === undefined || !isOutage(read.error));
}

/**
 * Shows that a read failed, and offers to try it again; nothing where it did not fail.
 *
 * @param props.what the subject of the sentence, as "The list"
 * @param props.inline as a paragraph, for a small part of a screen
 */
export function ReadFailure({ what, read, inline }: { what: string; read: Read; inline?: boolean }) {
  if (!hasFailed(read)) return null;
  const isRefresh = read.data !== undefined && !read.isPlaceholderData;
  return (
    <Failure
      what={`${what} could not be ${isRefresh ? 'refreshed' : 'loaded'}`}
      error={read.error ?? read.failureReason}
      busy={read.isFetching}
      inline={inline ?? false}
      onRetry={() => void read.refetch()}
    />
  );
}
