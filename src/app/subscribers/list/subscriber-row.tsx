import { Link } from '@tanstack/react-router';
import { memo, type MouseEvent } from 'react';
import type { Status, Subscriber } from '../../../contract/subscriber.ts';
import { useNow } from '../../ui/now.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { useColumns } from './columns.tsx';
import styles from './subscriber-table.module.css';

type ShownColumns = ReturnType<typeof useColumns>;

/** One subscriber; its username is the link to its pane, and the whole row takes the click. */
export const SubscriberRow = memo(function SubscriberRow(props: {
  subscriber: Subscriber;
  selected: boolean;
  columns: ShownColumns;
  statuses: readonly Status[] | undefined;
}) {
  const { subscriber, selected, columns, statuses } = props;
  const now = useNow();
  return (
    <tr data-selected={selected || undefined} onClick={openByRow}>
      <th scope="row" className={styles.username}>
        <Link
          to="/subscribers/$id"
          params={{ id: subscriber.id }}
          search={true}
          resetScroll={false}
          id={`subscriber-${subscriber.id}`}
          aria-current={selected ? 'true' : undefined}
        >
          {subscriber.username}
        </Link>
        {columns.some(({ name }) => name === 'email') && (
          <span className={styles.below}>{subscriber.email}</span>
        )}
      </th>
      {columns.map(({ name, cell }) => (
        <td key={name} className={styles[name]}>
          {cell(subscriber, { now, statuses })}
        </td>
      ))}
    </tr>
  );
});

/** A click anywhere in the row is one on its link, modifier keys included; selecting text is none. */
function openByRow(event: MouseEvent<HTMLTableRowElement>): void {
  const inLink = event.target instanceof Element && event.target.closest('a');
  if (inLink || getSelection()?.isCollapsed === false) return;
  event.currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', event.nativeEvent));
}

/** Widths that differ from row to row, as real names do. */
const widths = [3, 0, 5, 1, 4];

export function SkeletonRow({ place, columns }: { place: number; columns: ShownColumns }) {
  const more = widths[place % widths.length] ?? 0;
  return (
    <tr>
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
