import {
  keepPreviousData,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../components/failure.tsx';
import { describeError, isOutage, mayRecover } from './errors.ts';

/** The fields of a query's result that this module uses. */
type Read = Pick<
  UseQueryResult,
  | 'data'
  | 'isError'
  | 'error'
  | 'failureReason'
  | 'errorUpdateCount'
  | 'isPlaceholderData'
  | 'isFetchedAfterMount'
  | 'isFetching'
  | 'refetch'
>;

/**
 * True if the page shows that a read failed; also while it is tried again and there is nothing else to show. False in
 * an outage that leaves earlier data on the screen: then the banner at the top says so once.
 */
export function hasFailed(read: Read): boolean {
  if (read.isPlaceholderData) return read.errorUpdateCount > 0;
  if (read.data === undefined) return read.isError || read.isFetchedAfterMount;
  return read.isError && !isOutage(read.error);
}

/** A read of a list, whose rows stay until those of the next address are there. */
export interface ListRead<Data> {
  read: Read;
  hasFailed: boolean;
  /** Undefined after a failure where it is of the previous address: it would contradict the error. */
  data: Data | undefined;
  /** True while `data` is still of the previous address. */
  isStale: boolean;
}

/** Reads a list. @param query such as `activityQuery(…)` */
export function useList<Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
): ListRead<Data> {
  const read = useQuery({ ...query, placeholderData: keepPreviousData });
  const failed = hasFailed(read);
  const isStale = read.isPlaceholderData;
  return { read, hasFailed: failed, isStale, data: failed && isStale ? undefined : read.data };
}

/**
 * Shows that a read failed, with a button to try again; nothing if it did not fail. Where the query tries again by
 * itself (`intervalAfterFailure`), it says so.
 *
 * @param props.what the object of the sentence, as "the list"
 * @param props.inline as a paragraph, for a small part of a page
 * @param props.byHand the query never tries again by itself, because the read is long
 */
export function ReadFailure(props: { what: string; read: Read; inline?: boolean; byHand?: boolean }) {
  const { what, read, inline = false, byHand = false } = props;
  const isShown = hasFailed(read);
  const latest = read.error ?? read.failureReason;
  // There is no error while it is tried again. The text stays, so that screen readers do not repeat it each time.
  const [error, setError] = useState(latest);
  if (latest !== null && latest !== error) setError(latest);
  if (!isShown) return null;
  const keepsTrying = !byHand && mayRecover(error);
  const isRefresh = read.data !== undefined && !read.isPlaceholderData;
  return (
    <Failure
      what={`Couldn’t ${isRefresh ? 'refresh' : 'load'} ${what}`}
      error={error}
      reason={`${describeError(error, 'read')}${keepsTrying ? ' We’ll keep trying.' : ''}`}
      busy={read.isFetching}
      inline={inline}
      onRetry={() => void read.refetch()}
    />
  );
}
