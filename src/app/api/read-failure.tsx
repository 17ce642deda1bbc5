import { useEffect, useEffectEvent, useState } from 'react';
import { Failure } from '../components/failure.tsx';
import { describeReadFailure, isOutage, isPassing } from './error-kinds.ts';

/** The fields of a query's result that this module uses. */
interface Read {
  data: unknown;
  isError: boolean;
  error: Error | null;
  failureReason: Error | null;
  errorUpdateCount: number;
  isPlaceholderData: boolean;
  isFetchedAfterMount: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/**
 * Whether to show that a read failed; also true while it is tried again and there is nothing else to show. False in an
 * outage that leaves earlier data on the screen: then the banner at the top says so once.
 */
export function hasFailed(read: Omit<Read, 'isFetching' | 'refetch' | 'failureReason'>): boolean {
  if (read.isPlaceholderData) return read.errorUpdateCount > 0;
  if (read.data === undefined) return read.isError || read.isFetchedAfterMount;
  return read.isError && !isOutage(read.error);
}

/** How long to wait before a failed read is tried again, in ms. */
const pause = 15_000;

/**
 * Shows that a read failed, with a button to try again; nothing if it did not fail. In an outage it also tries again by
 * itself, and says so.
 *
 * @param props.what the object of the sentence, as "the list"
 * @param props.inline as a paragraph, for a small part of a page
 * @param props.byHand never tries again by itself, because the read is long
 */
export function ReadFailure(props: { what: string; read: Read; inline?: boolean; byHand?: boolean }) {
  const { what, read, inline = false, byHand = false } = props;
  const isShown = hasFailed(read);
  const latest = read.error ?? read.failureReason;
  // There is no error while it is tried again. The text stays, so that screen readers do not repeat it each time.
  const [error, setError] = useState(latest);
  if (latest !== null && latest !== error) setError(latest);
  const keepsTrying = isShown && !byHand && isPassing(error);
  /** The number of failures so far, during the pause after the last one. */
  const failures = keepsTrying && !read.isFetching ? read.errorUpdateCount : null;
  const refetch = useEffectEvent(() => void read.refetch());
  useEffect(() => {
    if (failures === null) return;
    const timer = setTimeout(() => refetch(), pause);
    return () => clearTimeout(timer);
  }, [failures]);
  if (!isShown) return null;
  const isRefresh = read.data !== undefined && !read.isPlaceholderData;
  return (
    <Failure
      what={`Couldn’t ${isRefresh ? 'refresh' : 'load'} ${what}`}
      error={error}
      reason={`${describeReadFailure(error)}${keepsTrying ? ' We’ll keep trying.' : ''}`}
      busy={read.isFetching}
      inline={inline}
      onRetry={() => void read.refetch()}
    />
  );
}
