import { memo, type ComponentType } from 'react';
import type { Status, Subscriber } from '../../../contract/service/subscriber.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import type { useColumns } from './columns.tsx';
import type { hintsOf } from './row-hints.ts';
import { rowLinkId } from './row-link.ts';
import styles from './subscriber-table.module.css';

type ShownColumns = ReturnType<typeof useColumns>;

/**
 * One subscriber; its username is the link to its pane, and the whole row takes the click: see `use-row-links.ts`. All
 * that rows have in common comes from the table, so that there is as little of each as can be.
 */
export const SubscriberRow = memo(function SubscriberRow(props: {
  subscriber: Subscriber;
  selected: boolean;
  columns: ShownColumns;
  statuses: readonly Status[] | undefined;
  now: number;
  /** Those of the row that is pointed at. */
  hintsOf: typeof hintsOf | undefined;
  hrefOf: (id: number) => string;
  /** The cell by which it is selected, while somebody selects. */
  Mark: ComponentType<{ subscriber: Subscriber }> | undefined;
}) {
  const { subscriber, selected, columns, statuses, now, hintsOf, hrefOf, Mark } = props;
  const { id, username, email } = subscriber;
  const known = { now, statuses, hints: hintsOf?.(subscriber, { now, statuses }) };
  return (
    <tr data-selected={selected || undefined}>
      {Mark && <Mark subscriber={subscriber} />}
      <th scope="row" className={styles.username}>
        <a href={hrefOf(id)} id={rowLinkId(id)} aria-current={selected ? 'page' : undefined}>
          {username}
        </a>
        {columns.some(({ name }) => name === 'email') && <span className={styles.below}>{email}</span>}
      </th>
      {columns.map(({ name, cell }) => (
        <td key={name} className={styles[name]}>
          {cell(subscriber, known)}
        </td>
      ))}
    </tr>
  );
});

/** Widths that differ from row to row, as real names do. */
const widths = [3, 0, 5, 1, 4];

export function SkeletonRow(props: { place: number; columns: ShownColumns; marked: boolean }) {
  const { place, columns, marked } = props;
  const more = widths[place % widths.length] ?? 0;
  return (
    <tr>
      {marked && <td />}
      <td className={styles.username}>
        <Skeleton width={8 + more} />
      </td>
      {columns.map(({ name, grey }) => (
        <td key={name} className={styles[name]}>
          {grey > 0 && <Skeleton width={name === 'email' ? grey + more : grey} />}
        </td>
      ))}
    </tr>
  );
}
