import { useMemo, type ReactNode } from 'react';
import type { Status, Subscriber } from '../../contract/service/subscriber.ts';
import { Badge } from '../components/badge.tsx';
import { createPreference, usePreference } from '../components/preference.ts';
import { dayOf, relativeTime } from '../components/time.ts';
import { isExpired } from '../subscriber/expiry.ts';
import { nameOfStatus, StatusBadge } from '../subscriber/status-badge.tsx';
import type { Marks } from './marks.tsx';
import type { HintFunctions } from './use-row-interactions.ts';
import styles from './subscriber-table.module.css';

/** What the cells of a row get beside the subscriber. */
interface RowContext {
  now: number;
  statuses: readonly Status[] | undefined;
  hints: HintFunctions | undefined;
  /** Undefined if the list is not filtered by a text. */
  marks: Marks | undefined;
}

interface Column {
  /** Also the name of its style. */
  name: string;
  label: string;
  /** How wide the grey bar is while rows are loading, in characters. */
  grey?: number;
  cell: (subscriber: Subscriber, context: RowContext) => ReactNode;
}

/** The columns beside the username, which is always shown. */
export const columns = [
  {
    name: 'email',
    label: 'Email',
    grey: 20,
    cell: ({ email }, { marks }) => marks?.email(email) ?? email,
  },
  { name: 'status', label: 'Status', grey: 6, cell: StatusCell },
  { name: 'expires', label: 'Expires', grey: 7, cell: Expiry },
  {
    name: 'plan',
    label: 'Plan',
    cell: ({ isTrial }) => isTrial && <Badge tone="neutral">Trial</Badge>,
  },
  { name: 'connections', label: 'Connections', cell: ({ maxConnections }) => maxConnections },
  { name: 'formats', label: 'Formats', grey: 5, cell: formatsOf },
] as const satisfies readonly Column[];

/** The hidden columns are stored, not the shown ones, so that a new column shows at first. */
export const hiddenColumns = createPreference<string>('hidden-columns', (kept) => kept ?? '');

export function useColumns(): readonly Column[] {
  const hidden = usePreference(hiddenColumns);
  // The same array until the choice changes, so that rows are not drawn again.
  return useMemo(() => columns.filter(({ name }) => !hidden.split(' ').includes(name)), [hidden]);
}

function StatusCell(subscriber: Subscriber, { now, statuses, hints }: RowContext) {
  const { status } = subscriber;
  return (
    <span title={hints?.describeCanWatch(subscriber, nameOfStatus(status, statuses), now).sentence}>
      <StatusBadge id={status} statuses={statuses} />
    </span>
  );
}

/** The exact time is a hint, which the style sheet shows in the row with the focus. */
function Expiry({ expiresAt }: Subscriber, { now, hints }: RowContext) {
  const at = Date.parse(expiresAt);
  return (
    <>
      <time
        className={isExpired(expiresAt, now) ? styles.expired : undefined}
        dateTime={Number.isNaN(at) ? undefined : expiresAt}
        title={hints?.exactTime(at)}
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
