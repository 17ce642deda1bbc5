import { useMemo, type ReactNode } from 'react';
import type { Status, Subscriber } from '../../../contract/subscriber.ts';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { createPreference, usePreference } from '../../ui/preference.ts';
import { dayOf } from '../../ui/time.ts';
import { isExpired } from '../expiry.ts';
import { nameOfStatus, StatusBadge } from '../status-badge.tsx';
import { watchable } from '../watchable.ts';
import styles from './subscriber-table.module.css';

/** What can stand beside the username, which is always there. */
export const columns = [
  { name: 'email', label: 'Email', grey: 20, cell: ({ email }) => email },
  {
    name: 'status',
    label: 'Status',
    grey: 8,
    cell: StatusCell,
  },
  { name: 'expires', label: 'Expires', grey: 9, cell: Expiry },
  {
    name: 'plan',
    label: 'Plan',
    grey: 0,
    cell: ({ isTrial }) => isTrial && <Badge tone="neutral">Trial</Badge>,
  },
  { name: 'connections', label: 'Connections', grey: 0, cell: ({ maxConnections }) => maxConnections },
  { name: 'formats', label: 'Formats', grey: 7, cell: formatsOf },
] as const satisfies readonly {
  /** Also the name of its style. */
  name: string;
  label: string;
  /** How wide the grey bar is while rows are awaited, in characters. */
  grey: number;
  cell: (subscriber: Subscriber, known: Known) => ReactNode;
}[];

/** What all rows know. */
interface Known {
  now: number;
  statuses: readonly Status[] | undefined;
}

export type ColumnName = (typeof columns)[number]['name'];

/** Those that somebody put away: what is new shows until it is put away too. */
export const hiddenColumns = createPreference<string>('hidden-columns', (kept) => kept ?? '');

export function useColumns() {
  const hidden = usePreference(hiddenColumns);
  // The same list as long as the choice is, so that rows need not be drawn again.
  return useMemo(() => columns.filter(({ name }) => !hidden.split(' ').includes(name)), [hidden]);
}

export function showColumn(name: ColumnName, shown: boolean): void {
  const others = hiddenColumns
    .get()
    .split(' ')
    .filter((other) => other !== name && other !== '');
  hiddenColumns.set((shown ? others : [...others, name]).join(' '));
}

/** Hovered, it says what the pane says: whether they can watch. */
function StatusCell(subscriber: Subscriber, { now, statuses }: Known) {
  const { status } = subscriber;
  return (
    <span title={watchable(subscriber, nameOfStatus(status, statuses), now).sentence}>
      <StatusBadge id={status} statuses={statuses} />
    </span>
  );
}

function Expiry({ expiresAt }: Subscriber, { now }: Known) {
  const expiry = Date.parse(expiresAt);
  return (
    <>
      <span className={isExpired(expiresAt, now) ? styles.expired : undefined}>
        <Moment at={expiry} />
      </span>{' '}
      <span className={styles.date}>{dayOf(expiry)}</span>
    </>
  );
}

function formatsOf({ hls, mpegTs }: Subscriber): string {
  if (!hls && !mpegTs) return 'None';
  return [hls && 'HLS', mpegTs && 'TS'].filter(Boolean).join(' · ');
}
