import { useRouter } from '@tanstack/react-router';
import {
  memo,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import type { Status, Subscriber } from '../../contract/service/subscriber.ts';
import { useNow } from '../components/app-context.ts';
import { Badge } from '../components/badge.tsx';
import { TableFrame, type Heading } from '../components/data-table.tsx';
import { usePreference } from '../components/preference.ts';
import { dayOf, relativeTime } from '../components/format.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { isExpired } from '../subscriber/expiry.ts';
import { hiddenColumns, rowLinkId, searchStrings, type ListAddress } from '../subscriber/list-address.ts';
import { nameOfStatus, StatusBadge, useStatuses } from '../subscriber/status-badge.tsx';
import type { Highlights } from './highlights.tsx';
import { useListAddress } from './use-list-address.ts';
import type { SelectingParts } from './use-selecting.tsx';
import styles from './subscriber-table.module.css';

/** The part that all rows share, which keeps each row cheap; the hints are those of one row. */
interface RowContext {
  now: number;
  statuses: readonly Status[] | undefined;
  /** Undefined if the list is not filtered by a text. */
  highlights: Highlights | undefined;
  hints: Hints | undefined;
}

interface SubscriberColumn extends Heading {
  /** Also the name of its style. */
  name: string;
  /** The field that the service sorts by. */
  sortField?: 'username' | 'expiresAt';
  cell: (subscriber: Subscriber, context: RowContext) => ReactNode;
}

const usernameColumn: SubscriberColumn = {
  name: 'username',
  label: 'Username',
  grey: 8,
  sortField: 'username',
  cell: ({ username }, { highlights }) => highlights?.username(username) ?? username,
};

/** The columns that can be hidden: the username names the row. */
export const columns: readonly SubscriberColumn[] = [
  {
    name: 'email',
    label: 'Email',
    grey: 20,
    cell: ({ email }, { highlights }) => highlights?.email(email) ?? email,
  },
  {
    name: 'status',
    label: 'Status',
    grey: 6,
    cell: (subscriber, { now, statuses, hints }) => {
      const status = nameOfStatus(subscriber.status, statuses);
      return (
        <span title={hints?.describeCanWatch(subscriber, status, now).sentence}>
          <StatusBadge
            id={subscriber.status}
            statuses={statuses}
            isExpired={isExpired(subscriber.expiresAt, now)}
          />
          {hints?.statusLink(subscriber.status, status)}
        </span>
      );
    },
  },
  { name: 'expires', label: 'Expires', grey: 7, sortField: 'expiresAt', cell: expiry },
  {
    name: 'plan',
    label: 'Plan',
    cell: ({ isTrial }, { hints }) =>
      isTrial && (
        <>
          <Badge tone="neutral">Trial</Badge>
          {hints?.trialLink}
        </>
      ),
  },
  { name: 'connections', label: 'Connections', cell: ({ maxConnections }) => maxConnections },
  {
    name: 'formats',
    label: 'Formats',
    grey: 5,
    cell: ({ hls, mpegTs }) => [hls && 'HLS', mpegTs && 'TS'].filter(Boolean).join(' · ') || 'None',
  },
];

/** The exact time is a hint, which the style sheet shows in the row with the focus. */
function expiry({ expiresAt }: Subscriber, { now, hints }: RowContext) {
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
      {Number.isNaN(at) || <span className={styles.date}>{` ${dayOf(at)}`}</span>}
    </>
  );
}

/** The rows of one page. The style sheet hides columns on narrow screens. */
export function SubscriberTable(props: {
  page: SubscriberPage | undefined;
  /** The number of grey rows to show while the page loads. */
  expected: number;
  /** True if these are still the rows of the previous address. */
  isStale: boolean;
  /** The id of the subscriber in the pane. */
  openId: number | undefined;
  /** The column of check boxes; null while nothing is being selected. */
  selection: SelectingParts | null;
}) {
  const { page, isStale, openId, selection } = props;
  const hidden = usePreference(hiddenColumns);
  const shown = useMemo(() => columns.filter(({ name }) => !hidden.split(' ').includes(name)), [hidden]);
  const { address, filter } = useListAddress();
  const addressOfRows = useAddressOfRows(address, isStale);
  const search = searchStrings.stringifySearch(addressOfRows);
  const router = useRouter();
  const hrefOf = useMemo(
    () => (id: number) => router.history.createHref(`/subscribers/${id}${search}`),
    [router, search],
  );
  const statuses = useStatuses();
  const now = useNow();
  const highlights = useHighlights(address, addressOfRows);
  const { hintsFor, handlers } = useRowEvents(page?.items);
  return (
    <TableFrame
      label="Subscribers"
      className={styles.table}
      headings={headingsOf(shown, address.sort, (sort) => filter({ sort }))}
      rows={page?.items}
      expected={props.expected}
      isStale={isStale}
      lead={selection && <selection.SelectAllCell subscribers={page?.items} />}
      body={handlers}
    >
      {(subscriber, index) => (
        <SubscriberRow
          // Rows are reused by their index, which is faster than creating new ones.
          key={index}
          subscriber={subscriber}
          isOpen={subscriber.id === openId}
          columns={shown}
          statuses={statuses}
          now={now}
          hints={hintsFor(subscriber.id)}
          hrefOf={hrefOf}
          highlights={highlights}
          SelectCell={selection?.SelectCell}
        />
      )}
    </TableFrame>
  );
}

/** One subscriber. The username is the link to the pane, and a click anywhere in the row counts: see `useRowEvents`. */
const SubscriberRow = memo(function SubscriberRow(
  props: RowContext & {
    subscriber: Subscriber;
    isOpen: boolean;
    columns: readonly SubscriberColumn[];
    hrefOf: (id: number) => string;
    SelectCell: SelectingParts['SelectCell'] | undefined;
  },
) {
  const { subscriber, isOpen, columns: shown, hrefOf, SelectCell } = props;
  const { id } = subscriber;
  const email = shown.find(({ name }) => name === 'email');
  return (
    <tr data-selected={isOpen || undefined}>
      {SelectCell && <SelectCell subscriber={subscriber} />}
      <th scope="row" className={styles.username}>
        <a href={hrefOf(id)} id={rowLinkId(id)} aria-current={isOpen ? 'page' : undefined}>
          {usernameColumn.cell(subscriber, props)}
        </a>
        {props.highlights?.note ? (
          <span className={`${styles.below} ${styles.found}`}>{props.highlights.note(subscriber.note)}</span>
        ) : (
          email && <span className={styles.below}>{email.cell(subscriber, props)}</span>
        )}
      </th>
      {shown.map(({ name, cell }) => (
        <td key={name} className={styles[name]}>
          {cell(subscriber, props)}
        </td>
      ))}
    </tr>
  );
});

/** The headings of all columns. Pressing one sorts up, then down, then by id again. */
function headingsOf(
  shown: readonly SubscriberColumn[],
  sort: ListAddress['sort'],
  onSort: (next: ListAddress['sort']) => void,
): Heading[] {
  return [usernameColumn, ...shown].map(({ name, label, grey, sortField }) => {
    const heading = { label, ...(grey && { grey }), className: styles[name] };
    if (!sortField) return heading;
    const down = `${sortField}_desc` as const;
    const direction = sort === sortField ? 'ascending' : sort === down ? 'descending' : 'none';
    const next = { none: sortField, ascending: down, descending: undefined }[direction];
    return { ...heading, sort: { direction, onSort: () => onSort(next) } };
  });
}

/** The address whose rows are shown. It follows only when the new rows are there, or each would be drawn twice. */
function useAddressOfRows(present: ListAddress, isStale: boolean): ListAddress {
  const [shown, setShown] = useState(present);
  if (!isStale && shown !== present) setShown(present);
  return isStale ? shown : present;
}

/** Highlights what the list is filtered by; undefined where it is not. They load while the rows do. */
function useHighlights(address: ListAddress, ofRows: ListAddress): Highlights | undefined {
  const { username, email, note } = ofRows;
  const isFiltered = (textOf(address) ?? textOf(ofRows)) !== undefined;
  const part = useLazyModule(() => import('./highlights.tsx'), isFiltered);
  return useMemo(
    () => (textOf({ username, email, note }) && part?.createHighlights(username, email, note)) || undefined,
    [part, username, email, note],
  );
}

type Texts = { [N in 'username' | 'email' | 'note']?: string | undefined };
const textOf = ({ username, email, note }: Texts) => username ?? email ?? note;

const loadHints = () => import('./row-hints.tsx');

/** Functions for the hints of a row's cells; loaded when first needed. */
type Hints = Awaited<ReturnType<typeof loadHints>>;

/**
 * Reacts to pointer and focus in the rows. The table's body listens once for all rows, which is cheaper; and the router's
 * own link costs more than the rest of a row. The links behave like it: the list's query stays in the address, the target
 * is preloaded, and the browser handles clicks with a modifier key.
 */
function useRowEvents(rows: readonly Subscriber[] | undefined) {
  const router = useRouter();
  const [hintedId, setHintedId] = useState<number | null>(null);
  const [hints, setHints] = useState<Hints>();
  const focused = useRef<{ id: number; isOnLink: boolean; body: HTMLTableSectionElement } | null>(null);
  // Rows are reused, so the focus has to move with the subscriber, or the next key would act on another one.
  useLayoutEffect(() => {
    if (!rows || !focused.current) return;
    const { id, isOnLink, body } = focused.current;
    const row = body.rows[rows.findIndex((one) => one.id === id)];
    if (row && !row.contains(document.activeElement)) targetIn(row, isOnLink)?.focus({ preventScroll: true });
  }, [rows]);

  /** The subscriber of the row that an event comes from, and whether it comes from the link. */
  function sourceOf({ target, currentTarget }: FocusEvent | PointerEvent | MouseEvent) {
    const element = target as Element;
    const row = element.closest('tr');
    const subscriber = row && rows?.[row.sectionRowIndex];
    const isOnLink = Boolean(row && targetIn(row, true)?.contains(element));
    return subscriber && { id: subscriber.id, row, isOnLink, body: currentTarget as HTMLTableSectionElement };
  }
  function point(event: FocusEvent | PointerEvent): void {
    const source = sourceOf(event);
    // Only this row has hints: rendering those of all takes longer than the rows.
    setHintedId(source?.id ?? null);
    // Hints are extra, so the rows work without them.
    if (!hints) loadHints().then(setHints, () => undefined);
    // An error shows when the subscriber is opened.
    if (source?.isOnLink) router.preloadRoute(routeTo(source.id)).catch(() => undefined);
  }
  return {
    hintsFor: (id: number) => (id === hintedId ? hints : undefined),
    handlers: {
      onClick(event: MouseEvent): void {
        const source = sourceOf(event);
        if (!source) return;
        if (!source.isOnLink) clickLink(source.row, event);
        else if (isPlainClick(event)) {
          event.preventDefault();
          void router.navigate({ ...routeTo(source.id), resetScroll: false });
        }
      },
      onPointerOver: point,
      onFocus(event: FocusEvent): void {
        focused.current = sourceOf(event) ?? null;
        point(event);
      },
      onBlur: () => void (focused.current = null),
    },
  };
}

const routeTo = (id: number) =>
  ({ to: '/subscribers/$id', params: { id }, search: true, state: true }) as const;

/** The link of a row, or its check box. */
const targetIn = (row: Element, isLink: boolean) =>
  row.querySelector<HTMLElement>(isLink ? 'th > a' : 'input');

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** Turns a click anywhere in a row into a click on its link, with the same modifier keys; but not selecting text. */
function clickLink(row: Element, { nativeEvent }: MouseEvent): void {
  if (getSelection()?.isCollapsed === false) return;
  targetIn(row, true)?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
}
