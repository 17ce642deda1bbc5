import type { ComponentType } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { useNow } from '../../components/app-context.ts';
import { useStatuses } from '../fields/status-badge.tsx';
import { useColumns } from './columns.tsx';
import { SortHeading } from './sort-heading.tsx';
import { SkeletonRow, SubscriberRow } from './subscriber-row.tsx';
import { useRowEvents } from './use-row-events.ts';
import styles from './subscriber-table.module.css';

/** The column by which rows are selected. */
export interface Marks {
  Mark: ComponentType<{ subscriber: Subscriber }>;
  MarkAll: ComponentType<{ subscribers: readonly Subscriber[] | undefined }>;
}

/** The rows of one page. What a narrow screen leaves out, its style sheet says. */
export function SubscriberTable(props: {
  /** Undefined while the first rows are on their way; then as many grey ones keep their place. */
  subscribers: readonly Subscriber[] | undefined;
  awaited: number;
  /** Whether these are still the rows of the address before. */
  stale: boolean;
  selected: number | undefined;
  /** Null while nobody selects: then there is nothing of it. */
  marks: Marks | null;
}) {
  const { subscribers, marks } = props;
  const columns = useColumns();
  const statuses = useStatuses();
  const now = useNow();
  const { hrefOf, hintsFor, handlers } = useRowEvents();
  return (
    <div className={styles.frame} data-stale={props.stale || undefined}>
      <table className={styles.table} aria-label="Subscribers" aria-busy={!subscribers || props.stale}>
        <thead>
          <tr>
            {marks && <marks.MarkAll subscribers={subscribers} />}
            <SortHeading name="Username" column="username" />
            {columns.map(({ name, label }) =>
              name === 'expires' ? (
                <SortHeading key={name} name={label} column="expiresAt" />
              ) : (
                <th key={name} scope="col" className={styles[name]}>
                  {label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody {...handlers}>
          {subscribers
            ? subscribers.map((subscriber, place) => (
                <SubscriberRow
                  key={place}
                  subscriber={subscriber}
                  selected={subscriber.id === props.selected}
                  columns={columns}
                  statuses={statuses}
                  now={now}
                  hintsOf={hintsFor(subscriber.id)}
                  hrefOf={hrefOf}
                  Mark={marks?.Mark}
                />
              ))
            : Array.from({ length: props.awaited }, (_, place) => (
                <SkeletonRow key={place} place={place} columns={columns} marked={marks !== null} />
              ))}
        </tbody>
      </table>
    </div>
  );
}
