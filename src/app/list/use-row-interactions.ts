import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import { pageSizes, type ListQuery, type SubscriberPage } from '../../contract/service/list-query.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { subscriberPageQuery } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { useShortcuts } from '../components/shortcuts.ts';
import {
  nameOfList,
  rowLink,
  rowLinkPrefix,
  toListQuery,
  toReturn,
  withFilter,
} from '../subscriber/list-address.ts';
import { useListAddress } from './use-list-address.ts';

/** The subscriber to whose row link an element belongs; null for any other element. */
function idOfRowLink(element: EventTarget | null): number | null {
  const link = element instanceof Element ? element.closest(`th > a[id^="${rowLinkPrefix}"]`) : null;
  return link ? Number(link.id.slice(rowLinkPrefix.length)) : null;
}

/** The subscriber in whose row an element is. */
function idOfRow(element: EventTarget | null): number | null {
  const row = element instanceof Element ? element.closest('tr') : null;
  return idOfRowLink(row?.querySelector('th > a') ?? null);
}

async function loadHints() {
  const [{ describeCanWatch }, { exactTime }] = await Promise.all([
    import('../subscriber/can-watch.ts'),
    import('../components/exact-time.tsx'),
  ]);
  return { describeCanWatch, exactTime };
}

/** What makes the hints of a row's cells; loaded when first needed. */
export type HintFunctions = Awaited<ReturnType<typeof loadHints>>;

/** Reacts to pointer and focus in the rows. The table's body listens once for all rows, which is cheaper. */
export function useRowInteractions() {
  const { hrefOf, open, preload } = useRowLinks();
  const [hintedId, setHintedId] = useState<number | null>(null);
  const [hints, setHints] = useState<HintFunctions>();
  const { remember, forget } = useKeptFocus();
  const point = (event: FocusEvent | PointerEvent) => {
    setHintedId(idOfRow(event.target));
    // Hints are extra, so the rows work without them.
    if (!hints) loadHints().then(setHints, () => undefined);
    preload(event);
  };
  return {
    hrefOf,
    /** Only the row under the pointer or with the focus has hints: rendering all of them takes longer than the rows. */
    hintsFor: (id: number) => (id === hintedId ? hints : undefined),
    handlers: {
      onClick: open,
      onPointerOver: point,
      onFocus: (event: FocusEvent) => {
        remember(event);
        point(event);
      },
      onBlur: forget,
    },
  };
}

/**
 * The links of all rows at once, because the router's own link costs more than the rest of a row. They behave like it:
 * the list's query stays in the address, the target is preloaded, and the browser handles clicks with a modifier key.
 */
function useRowLinks() {
  const router = useRouter();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  return useMemo(() => {
    const to = (id: number) =>
      ({ to: '/subscribers/$id', params: { id }, search: true, state: true }) as const;
    return {
      hrefOf: (id: number) => router.history.createHref(`/subscribers/${id}${search}`),
      preload: ({ target }: FocusEvent | PointerEvent) => {
        const id = idOfRowLink(target);
        // An error shows when the subscriber is opened.
        if (id !== null) router.preloadRoute(to(id)).catch(() => undefined);
      },
      open: (event: MouseEvent) => {
        const id = idOfRowLink(event.target);
        if (id === null) clickRowLink(event);
        else if (isPlainClick(event)) {
          event.preventDefault();
          void router.navigate({ ...to(id), resetScroll: false });
        }
      },
    };
  }, [router, search]);
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** Turns a click anywhere in a row into a click on its link, with the same modifier keys; but not selecting text. */
function clickRowLink({ target, nativeEvent }: MouseEvent): void {
  if (getSelection()?.isCollapsed === false || !(target instanceof Element)) return;
  const link = target.closest('tr')?.querySelector('th > a');
  link?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
}

/**
 * Rows are reused by their index, which is faster than creating new ones. So the focus has to move with the subscriber,
 * or the next key would act on another one.
 */
function useKeptFocus() {
  const focused = useRef<{ id: number; isOnLink: boolean } | null>(null);
  useLayoutEffect(() => {
    if (!focused.current || idOfRow(document.activeElement) === focused.current.id) return;
    const link = rowLink(focused.current.id);
    const target = focused.current.isOnLink ? link : link?.closest('tr')?.querySelector('input');
    target?.focus({ preventScroll: true });
  });
  return {
    remember: ({ target }: FocusEvent) => {
      const id = idOfRow(target);
      focused.current = id === null ? null : { id, isOnLink: idOfRowLink(target) !== null };
    },
    forget: () => void (focused.current = null),
  };
}

/** How many rows before the end of a page the next one is fetched: holding a key down takes half a second for them. */
const rowsAhead = 15;

/**
 * Moves through the whole list by keys, row by row and from page to page. Without a pane the focus moves; with one, it
 * opens the next subscriber.
 *
 * @param shown the page of the address; undefined until it is loaded
 * @param options.fetchesAhead whether the other pages have to be fetched
 * @param options.onSelect called with the subscriber at the focus or in the pane, if any
 */
export function useRowKeys(
  query: ListQuery,
  shown: SubscriberPage | undefined,
  options: { fetchesAhead: boolean; onSelect: (subscriber: Subscriber | undefined) => unknown },
): void {
  const { toasts } = useApp();
  const { address, turnTo } = useListAddress();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { history } = useRouter();
  const { reason } = usePermission('updateSubscriber');
  const size = query.PageSize ?? pageSizes.usual;
  const pageOf = (index: number) => Math.floor(index / size) + 1;
  const list = nameOfList(query);
  // The row that the keys moved to, while its page is loading; the index counts from the start of the list.
  const target = useRef<{ list: string; index: number } | null>(null);
  const total = useRef(0);

  const goToTarget = useEffectEvent((page: SubscriberPage) => {
    if (target.current?.list !== list) target.current = null;
    if (!target.current || pageOf(target.current.index) !== page.page) return;
    const subscriber = page.items[target.current.index % size] ?? page.items.at(-1);
    target.current = null;
    if (!subscriber) return;
    rowLink(subscriber.id)?.scrollIntoView({ block: 'nearest' });
    if (openedId(history.location.pathname) === null) rowLink(subscriber.id)?.focus();
    else
      void navigate({
        to: '/subscribers/$id',
        params: { id: subscriber.id },
        search: true,
        state: true,
        // Back closes the pane, and does not step through every subscriber before.
        replace: true,
        resetScroll: false,
      });
  });
  // Before the browser shows the rows, for who presses a key at once.
  useLayoutEffect(() => {
    if (shown) total.current = shown.totalCount;
  }, [shown]);
  useEffect(() => {
    if (shown) goToTarget(shown);
  }, [shown]);

  function step(by: 1 | -1): void {
    if (total.current === 0) return;
    const from = target.current?.index ?? presentIndex();
    const start = ((query.Page ?? 1) - 1) * size;
    const within = (index: number) => Math.min(Math.max(index, 0), total.current - 1);
    const to = from === null ? start : within(from + by);
    target.current = { list, index: to };
    if (shown?.page === pageOf(to)) goToTarget(shown);
    else turnTo(pageOf(to));
    const ahead = withFilter(address, { page: pageOf(within(to + by * rowsAhead)) });
    if (options.fetchesAhead && ahead.page !== address.page)
      void cache.prefetchQuery(subscriberPageQuery(toListQuery(ahead)));
  }

  function presentId(): number | null {
    // The history is up to date before the screen is.
    return openedId(history.location.pathname) ?? idOfRow(document.activeElement);
  }

  function presentIndex(): number | null {
    const id = presentId();
    const index = shown?.items.findIndex((subscriber) => subscriber.id === id) ?? -1;
    return shown && index >= 0 ? (shown.page - 1) * size + index : null;
  }

  function edit(): void {
    const id = presentId();
    if (id === null) return;
    if (reason !== undefined) toasts.show('bad', reason);
    else void navigate({ to: '/subscribers/$id/edit', params: { id }, search: true, state: toReturn });
  }

  const select = () => options.onSelect(shown?.items.find(({ id }) => id === presentId()));
  useShortcuts({ next: () => step(1), previous: () => step(-1), edit, select });
}

function openedId(pathname: string): number | null {
  const id = /^\/subscribers\/(\d+)$/.exec(pathname)?.[1];
  return id === undefined ? null : Number(id);
}
