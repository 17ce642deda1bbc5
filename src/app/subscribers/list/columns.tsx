import { useMemo, type ReactNode } from 'react';
import type { Status, Subscriber } from '../../../contract/service/subscriber.ts';
import { Badge } from '../../components/badge.tsx';
import { createPreference, usePreference } from '../../components/preference.ts';
import { dayOf, relativeTime } from '../../components/time.ts';
import { isExpired } from '../fields/expiry.ts';
import { StatusBadge } from '../fields/status-badge.tsx';
import type { RowHints } from './row-hints.ts';
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

/** What a row knows beside its subscriber. */
export interface Known {
  now: number;
  statuses: readonly Status[] | undefined;
  hints: RowHints | undefined;
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

function StatusCell({ status }: Subscriber, { statuses, hints }: Known) {
  return (
    <span title={hints?.status}>
      <StatusBadge id={status} statuses={statuses} />
    </span>
  );
}

/** The exact time is a hint; the style sheet shows it where the row's link has the focus. */
function Expiry({ expiresAt }: Subscriber, { now, hints }: Known) {
  const at = Date.parse(expiresAt);
  return (
    <>
      <time
        className={isExpired(expiresAt, now) ? styles.expired : undefined}
        dateTime={Number.isNaN(at) ? undefined : expiresAt}
        title={hints?.expires}
      >
        {relativeTime(at, now)}
      </time>
      <span className={styles.date}>{` ${dayOf(at)}`}</span>
    </>
  );
}

function formatsOf({ hls, mpegTs }: Subscriber): string {
  if (!hls && !mpegTs) return 'None';
  return [hls && 'HLS', mpegTs && 'TS'].filter(Boolean).join(' · ');
}
