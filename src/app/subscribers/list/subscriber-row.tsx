import { Link } from '@tanstack/react-router';
import { memo, type MouseEvent } from 'react';
import type { Subscriber } from '../../../contract/subscriber.ts';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { useNow } from '../../ui/now.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { dayOf } from '../../ui/time.ts';
import { isExpired } from '../expiry.ts';
import { StatusBadge } from '../status-badge.tsx';
import styles from './subscriber-table.module.css';

/** One subscriber; its username is the link to its pane, and the whole row takes the click. */
export const SubscriberRow = memo(function SubscriberRow(props: {
  subscriber: Subscriber;
  selected: boolean;
}) {
  const { subscriber, selected } = props;
  const expiry = Date.parse(subscriber.expiresAt);
  const expired = isExpired(subscriber.expiresAt, useNow());
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
        <span className={styles.below}>{subscriber.email}</span>
      </th>
      <td className={styles.email}>{subscriber.email}</td>
      <td className={styles.status}>
        <StatusBadge id={subscriber.status} />
      </td>
      <td className={styles.expires} data-expired={expired || undefined}>
        <Moment at={expiry} /> <span className={styles.date}>{dayOf(expiry)}</span>
      </td>
      <td className={styles.plan}>{subscriber.isTrial && <Badge tone="neutral">Trial</Badge>}</td>
      <td className={styles.connections}>{subscriber.maxConnections}</td>
      <td className={styles.formats}>{formatsOf(subscriber)}</td>
    </tr>
  );
});

/** A click anywhere in the row is one on its link, modifier keys included; selecting text is none. */
function openByRow(event: MouseEvent<HTMLTableRowElement>): void {
  const inLink = event.target instanceof Element && event.target.closest('a');
  if (inLink || getSelection()?.isCollapsed === false) return;
  event.currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', event.nativeEvent));
}

function formatsOf({ hls, mpegTs }: Subscriber): string {
  if (!hls && !mpegTs) return 'None';
  return [hls && 'HLS', mpegTs && 'TS'].filter(Boolean).join(' · ');
}

/** Widths that differ from row to row, as real names do. */
const widths = [11, 8, 13, 9, 12];

export function SkeletonRow({ place }: { place: number }) {
  const width = widths[place % widths.length] ?? 10;
  return (
    <tr>
      <td className={styles.username}>
        <Skeleton width={width} />
      </td>
      <td className={styles.email}>
        <Skeleton width={width + 9} />
      </td>
      <td className={styles.status}>
        <Skeleton width={8} />
      </td>
      <td>
        <Skeleton width={9} />
      </td>
      <td className={styles.plan} />
      <td className={styles.connections} />
      <td className={styles.formats}>
        <Skeleton width={7} />
      </td>
    </tr>
  );
}
