import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { pageSizes } from '../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { subscriberPageQuery } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { useShortcuts } from '../components/shortcuts.tsx';
import {
  nameOfList,
  rowLink,
  rowLinkPrefix,
  toListQuery,
  toReturn,
  withFilter,
} from '../subscriber/list-address.ts';
import { useListAddress } from './use-list-address.ts';

/** The next page is fetched this many rows before the end of a page: holding a key down takes half a second for them. */
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
  const { queryClient: cache, toasts } = useApp();
  const { address, turnTo } = useListAddress();
  const navigate = useNavigate();
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
    return openedId(history.location.pathname) ?? focusedId();
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

/** The id of the subscriber in whose row the focus is. */
function focusedId(): number | null {
  const link = document.activeElement?.closest('tr')?.querySelector(`[id^="${rowLinkPrefix}"]`);
  return link ? Number(link.id.slice(rowLinkPrefix.length)) : null;
}

function openedId(pathname: string): number | null {
  const id = /^\/subscribers\/(\d+)$/.exec(pathname)?.[1];
  return id === undefined ? null : Number(id);
}
