import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Skeleton } from './skeleton.tsx';
import styles from './data-table.module.css';

export interface TableColumn {
  name: string;
  label: string;
  /** For its heading and its grey bars. */
  className?: string | undefined;
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean;
  /** Makes the heading a button. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
  /** Width of the grey bar while rows are loading, in characters; no bar without it. */
  grey?: number;
}

/** A table with one page of rows: grey bars until the first page is loaded, dimmed rows while another is loading. */
export function DataTable<Row>(props: {
  label: string;
  columns: readonly TableColumn[];
  /** Undefined until the first page is loaded. */
  rows: readonly Row[] | undefined;
  /** How many grey rows to show until then. */
  expected: number;
  /** Whether these are still the rows of the previous address. */
  isStale?: boolean;
  /** Makes the `<tr>` of a row. */
  renderRow: (row: Row, index: number) => ReactNode;
  /** A heading cell before those of the columns. */
  lead?: ReactNode;
  className?: string | undefined;
  body?: ComponentProps<'tbody'>;
}) {
  const { columns, rows, lead, isStale = false } = props;
  return (
    <div className={styles.frame} data-stale={isStale || undefined}>
      <table
        className={`${styles.table} ${props.className}`}
        aria-label={props.label}
        aria-busy={!rows || isStale}
      >
        <thead>
          <tr>
            {lead}
            {columns.map((column) => (
              <Heading key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody {...props.body}>
          {rows
            ? rows.map(props.renderRow)
            : Array.from({ length: props.expected }, (_, index) => (
                <SkeletonRow key={index} index={index} columns={columns} hasLead={Boolean(lead)} />
              ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading({ column: { label, className, isLabelHidden, sort } }: { column: TableColumn }) {
  if (!sort)
    return (
      <th scope="col" className={className}>
        {isLabelHidden ? <span className="visually-hidden">{label}</span> : label}
      </th>
    );
  const { direction, onSort } = sort;
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className={styles.sort} onClick={onSort}>
        {label}
        <span className={styles.arrow} data-on={direction !== 'none' || undefined}>
          <Icon name={direction === 'descending' ? 'descending' : 'ascending'} />
        </span>
      </button>
    </th>
  );
}

/** Makes the widths differ from row to row, like texts. */
const extraWidths = [3, 0, 4, 1, 2];

function SkeletonRow(props: { index: number; columns: readonly TableColumn[]; hasLead: boolean }) {
  const extra = extraWidths[props.index % extraWidths.length] ?? 0;
  return (
    <tr>
      {props.hasLead && <td />}
      {props.columns.map(({ name, className, grey }) => (
        <td key={name} className={className}>
          {grey !== undefined && <Skeleton width={grey + extra} />}
        </td>
      ))}
    </tr>
  );
}
