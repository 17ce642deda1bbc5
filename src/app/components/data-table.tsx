import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './data-table.module.css';

/** The content and the behaviour of a heading. */
export interface Heading {
  label: string;
  /** For the heading, the cells and the grey bars. */
  className?: string | undefined;
  /** For the buttons of each row: only screen readers get the label. */
  isLabelHidden?: true;
  /** Numbers end below each other. */
  isNumber?: true;
  /** Makes the heading a button. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
  /** Width of the grey bar while rows are loading, in characters; no bar without it. */
  grey?: number;
  /** Hidden in a narrow table, where another cell says the same in a `NarrowOnly`. */
  isWideOnly?: true;
}

export interface TableProps<Row> {
  label: string;
  /** Undefined until the first page is loaded. */
  rows: readonly Row[] | undefined;
  /** The number of grey rows to show until then. */
  expected: number;
  /** True if these are still the rows of the previous address. */
  isStale?: boolean;
  className?: string | undefined;
  /** In a narrow table each row is a card: a grid, for which the style sheet of the table names the areas. */
  hasCards?: boolean;
}

/** A table with one page of rows: grey bars until the first page is loaded, dimmed rows while another is loading. */
export function TableFrame<Row>(
  props: TableProps<Row> & {
    headings: readonly Heading[];
    /** Makes the `<tr>` of a row. */
    children: (row: Row, index: number) => ReactNode;
    /** A heading before the others. */
    lead?: ReactNode;
    body?: ComponentProps<'tbody'>;
  },
) {
  const { headings, rows, lead, className = '', isStale = false, hasCards = false } = props;
  return (
    <div className={`card ${styles.frame}`} data-stale={isStale || undefined}>
      <table
        className={`${styles.table} ${className}`}
        data-cards={hasCards || undefined}
        aria-label={props.label}
        aria-busy={!rows || isStale}
      >
        <thead>
          <tr>
            {lead}
            {headings.map((heading) => (
              <HeadingCell key={heading.label} {...heading} />
            ))}
          </tr>
        </thead>
        <tbody {...props.body}>
          {rows
            ? rows.map(props.children)
            : Array.from({ length: props.expected }, (_, index) => (
                <tr key={index}>
                  {lead && <td />}
                  {headings.map((heading) => (
                    <td key={heading.label} className={headingClass(heading)}>
                      {heading.grey && <Skeleton width={heading.grey + (extraWidths[index % 5] ?? 0)} />}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** Make the widths of grey bars differ from row to row, like texts. */
const extraWidths = [3, 0, 4, 1, 2];

export const headingClass = ({ className, isWideOnly, isLabelHidden, isNumber }: Heading) =>
  [className, isWideOnly && styles.wideOnly, isLabelHidden && styles.actions, isNumber && styles.number]
    .filter(Boolean)
    .join(' ') || undefined;

function HeadingCell({ sort, ...heading }: Heading) {
  const { label, isLabelHidden } = heading;
  return (
    <th scope="col" className={headingClass(heading)} aria-sort={sort?.direction}>
      {isLabelHidden && <span className="visually-hidden">{label}</span>}
      {!isLabelHidden && !sort && label}
      {sort && (
        <button type="button" className={styles.sort} onClick={sort.onSort}>
          {label}
          <span className={styles.arrow} data-on={sort.direction !== 'none' || undefined}>
            <Icon name={sort.direction === 'descending' ? 'descending' : 'ascending'} />
          </span>
        </button>
      )}
    </th>
  );
}

/** A line in a cell that only a narrow table shows. */
export const NarrowOnly = ({ children }: { children: ReactNode }) => (
  <small className={styles.narrowOnly}>{children}</small>
);

/** A grey bar in place of a text that is loading; `width` in characters. */
export function Skeleton({ width }: { width: number }) {
  return <span className={styles.skeleton} style={{ inlineSize: `${width}ch` }} aria-hidden="true" />;
}
