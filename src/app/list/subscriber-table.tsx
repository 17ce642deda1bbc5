import { memo, useMemo, type ComponentType } from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import type { Status, Subscriber } from '../../contract/service/subscriber.ts';
import { useNow } from '../components/app-context.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { DataTable, type TableColumn } from '../components/data-table.tsx';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { useColumns } from './columns.tsx';
import type { Marks } from './marks.tsx';
import { useListAddress } from './use-list-address.ts';
import { rowLinkId } from '../subscriber/list-address.ts';
import { useRowInteractions, type HintFunctions } from './use-row-interactions.ts';
import styles from './subscriber-table.module.css';

/** The column of check boxes. */
export interface SelectionColumn {
  SelectCell: ComponentType<{ subscriber: Subscriber }>;
  SelectAllCell: ComponentType<{ subscribers: readonly Subscriber[] | undefined }>;
}

/** The rows of one page. The style sheet hides columns on narrow screens. */
export function SubscriberTable(props: {
  page: SubscriberPage | undefined;
  /** How many grey rows to show while the page loads. */
  expected: number;
  /** Whether these are still the rows of the previous address. */
  isStale: boolean;
  /** The id of the subscriber in the pane. */
  openId: number | undefined;
  /** Null while nothing is being selected. */
  selection: SelectionColumn | null;
}) {
  const { page, openId, selection } = props;
  const columns = useColumns();
  const headings = useHeadings(columns);
  const statuses = useStatuses();
  const now = useNow();
  const { hrefOf, hintsFor, handlers } = useRowInteractions();
  const marks = useMarks();
  return (
    <DataTable
      label="Subscribers"
      className={styles.table}
      columns={headings}
      rows={page?.items}
      expected={props.expected}
      isStale={props.isStale}
      lead={selection && <selection.SelectAllCell subscribers={page?.items} />}
      body={handlers}
      renderRow={(subscriber, index) => (
        <SubscriberRow
          // Rows are reused by their index, which is faster than creating new ones.
          key={index}
          subscriber={subscriber}
          isOpen={subscriber.id === openId}
          columns={columns}
          statuses={statuses}
          now={now}
          hints={hintsFor(subscriber.id)}
          hrefOf={hrefOf}
          marks={marks}
          SelectCell={selection?.SelectCell}
        />
      )}
    />
  );
}

/** Marks what the list is filtered by; undefined where it is not. */
function useMarks(): Marks | undefined {
  const { username, email } = useListAddress().address;
  const part = useLazyModule(() => import('./marks.tsx'), (username ?? email) !== undefined);
  return useMemo(() => part?.createMarks(username, email), [part, username, email]);
}

/** What the service sorts by, by the name of the column. */
const sortFields: Readonly<Record<string, 'username' | 'expiresAt'>> = {
  username: 'username',
  expires: 'expiresAt',
};

/** The headings of all columns. Pressing one sorts up, then down, then by id again. */
function useHeadings(columns: ReturnType<typeof useColumns>): TableColumn[] {
  const { address, filter } = useListAddress();
  return [{ name: 'username', label: 'Username', grey: 8 }, ...columns].map((column) => {
    const heading = { ...column, className: styles[column.name] };
    const field = sortFields[column.name];
    if (!field) return heading;
    const down = `${field}_desc` as const;
    const direction = address.sort === field ? 'ascending' : address.sort === down ? 'descending' : 'none';
    const next = { none: field, ascending: down, descending: undefined }[direction];
    return { ...heading, sort: { direction, onSort: () => filter({ sort: next }) } };
  });
}

/**
 * One subscriber. The username is the link to the pane, and a click anywhere in the row counts: see
 * `use-row-interactions.ts`. What all rows share comes from the table, which keeps each row cheap.
 */
const SubscriberRow = memo(function SubscriberRow(props: {
  subscriber: Subscriber;
  isOpen: boolean;
  columns: ReturnType<typeof useColumns>;
  statuses: readonly Status[] | undefined;
  now: number;
  hints: HintFunctions | undefined;
  hrefOf: (id: number) => string;
  marks: Marks | undefined;
  SelectCell: SelectionColumn['SelectCell'] | undefined;
}) {
  const { subscriber, isOpen, columns, statuses, now, hints, hrefOf, SelectCell, marks } = props;
  const { id, username, email } = subscriber;
  const context = { now, statuses, hints, marks };
  return (
    <tr data-selected={isOpen || undefined}>
      {SelectCell && <SelectCell subscriber={subscriber} />}
      <th scope="row" className={styles.username}>
        <a href={hrefOf(id)} id={rowLinkId(id)} aria-current={isOpen ? 'page' : undefined}>
          {marks?.username(username) ?? username}
        </a>
        {columns.some(({ name }) => name === 'email') && (
          <span className={styles.below}>{marks?.email(email) ?? email}</span>
        )}
      </th>
      {columns.map(({ name, cell }) => (
        <td key={name} className={styles[name]}>
          {cell(subscriber, context)}
        </td>
      ))}
    </tr>
  );
});
