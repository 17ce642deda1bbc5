import type { ComponentProps, Key, ReactNode } from 'react';
import { headingClass, TableFrame, type Heading, type TableProps } from '../components/data-table.tsx';
import { RelativeTime } from '../components/exact-time.tsx';
import { Pager } from '../components/pager.tsx';
import { ReadFailure, type ListRead } from './read-failure.tsx';

export { useList } from './read-failure.tsx';

/** A column: its heading, and the content of its cells. */
export interface Column<Row> extends Heading {
  cell: (row: Row) => ReactNode;
  /** Its cells are the headings of their rows. */
  isRowHeading?: true;
}

/** A column with a past instant. In a narrow table, another cell has it. @param never said where there is none */
export const timeColumn = <Row,>(
  label: string,
  timeOf: (row: Row) => string | null,
  never = 'never',
): Column<Row> => ({
  label,
  grey: 9,
  className: 'aside nowrap',
  isWideOnly: true,
  cell: (row) => timeOrNever(timeOf(row), never),
});

const timeOrNever = (at: string | null, never: string) => (at === null ? never : <RelativeTime at={at} />);

type DataTableProps<Row> = TableProps<Row> & {
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => Key;
};

/** A table of columns that make their cells. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, keyOf } = props;
  return (
    <TableFrame {...props} headings={columns}>
      {(row) => (
        <tr key={keyOf(row)}>
          {columns.map((column) => {
            const Cell = column.isRowHeading ? 'th' : 'td';
            return (
              <Cell
                key={column.label}
                scope={column.isRowHeading && 'row'}
                className={headingClass(column)}
                data-label={column.label}
              >
                {column.cell(row)}
              </Cell>
            );
          })}
        </tr>
      )}
    </TableFrame>
  );
}

/** The table of a list with its pager, or why there is none. */
export function List<Row>(
  props: Omit<DataTableProps<Row>, 'isStale'> & {
    list: ListRead<unknown>;
    /** The object of "Couldn’t load …", such as "the jobs". */
    what: string;
    /** Shown instead of a table without rows. */
    empty?: ReactNode;
    /** For a list in pages. */
    pager?: ComponentProps<typeof Pager> | false | undefined;
  },
) {
  const { list, what, empty, pager, ...table } = props;
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
