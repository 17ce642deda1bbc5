import {
  keepPreviousData,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { DataTable } from '../components/data-table.tsx';
import { Pager } from '../components/pager.tsx';
import { hasFailed, ReadFailure } from './read-failure.tsx';

/** A read of a list, whose rows stay until those of the next address are there. */
interface ListRead<Data> {
  read: UseQueryResult<Data>;
  hasFailed: boolean;
  /** Undefined after a failure where it is of the previous address: it would contradict the error. */
  data: Data | undefined;
  /** Whether `data` is still of the previous address. */
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

type TableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'isStale'>;

/** The table of a list with its pager, or why there is none. */
export function List<Row>({
  list,
  what,
  empty,
  pager,
  ...table
}: TableProps<Row> & {
  list: ListRead<unknown>;
  /** The object of "Couldn’t load …", such as "the jobs". */
  what: string;
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
  /** For a list in pages. */
  pager?: ComponentProps<typeof Pager> | false | undefined;
}) {
  return (
    <>
      <ReadFailure what={what} read={list.read} />
      {empty !== undefined && table.rows?.length === 0
        ? empty
        : (table.rows || !list.hasFailed) && <DataTable {...table} isStale={list.isStale} />}
      {pager && <Pager {...pager} />}
    </>
  );
}
