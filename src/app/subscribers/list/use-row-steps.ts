import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { pageSizes, type ListQuery, type SubscriberPage } from '../../../contract/service/list-query.ts';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { subscriberPageQuery } from '../../api/queries.ts';
import { usePermission } from '../../api/session.ts';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useApp } from '../../components/app-context.ts';
import { nameOfList, toListQuery, withFilter } from '../address.ts';
import { idOfRow, rowLink } from './row-link.ts';
import { useListAddress } from './use-list-address.ts';

/** How many rows before the end of a page the next one is fetched: half a second of a key held down. */
const ahead = 15;

/**
 * Moves through the whole list by keys, row by row and over the ends of pages: the focus goes from link to link, or
 * with the pane open from one subscriber to the next.
 *
 * @param shown the page that the address names, as soon as it is there
 * @param options.fetchesAhead whether its other pages have to be fetched
 * @param options.onSelect called with the one where the keys are, if any
 */
export function useRowSteps(
  query: ListQuery,
  shown: SubscriberPage | undefined,
  {
    fetchesAhead,
    onSelect,
  }: {
    fetchesAhead: boolean;
    onSelect: (subscriber: Subscriber | undefined) => void;
  },
): void {
  const { toasts } = useApp();
  const { address, turnTo } = useListAddress();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { history } = useRouter();
  const { reason } = usePermission('updateSubscriber');
  const size = query.PageSize ?? pageSizes.usual;
  const pageOf = (place: number) => Math.floor(place / size) + 1;
  const list = nameOfList(query);
  // Where the keys have led on a page that is not shown yet, counted from the start of the whole list.
  const aim = useRef<{ list: string; place: number } | null>(null);
  const total = useRef(0);

  const arrive = useEffectEvent((shown: SubscriberPage) => {
    total.current = shown.totalCount;
    if (aim.current?.list !== list) aim.current = null;
    if (!aim.current || pageOf(aim.current.place) !== shown.page) return;
    const subscriber = shown.items[aim.current.place % size] ?? shown.items.at(-1);
    aim.current = null;
    if (!subscriber) return;
    rowLink(subscriber.id)?.scrollIntoView({ block: 'nearest' });
    if (openedId(history.location.pathname) === null) rowLink(subscriber.id)?.focus();
    else
      void navigate({
        to: '/subscribers/$id',
        params: { id: subscriber.id },
        search: true,
        // The way back leads out of the pane, not through everybody who was looked at.
        replace: true,
        resetScroll: false,
      });
  });
  useEffect(() => {
    if (shown) arrive(shown);
  }, [shown]);

  function step(by: 1 | -1): void {
    if (total.current === 0) return;
    const from = aim.current?.place ?? presentPlace();
    const start = ((query.Page ?? 1) - 1) * size;
    const within = (place: number) => Math.min(Math.max(place, 0), total.current - 1);
    const to = from === null ? start : within(from + by);
    aim.current = { list, place: to };
    if (shown?.page === pageOf(to)) arrive(shown);
    else turnTo(pageOf(to));
    const soon = withFilter(address, { page: pageOf(within(to + by * ahead)) });
    if (fetchesAhead && soon.page !== address.page)
      void cache.prefetchQuery(subscriberPageQuery(toListQuery(soon)));
  }

  function presentId(): number | null {
    // The history knows at once who opens; the screen only when it is drawn.
    return openedId(history.location.pathname) ?? idOfRow(document.activeElement);
  }

  function presentPlace(): number | null {
    const id = presentId();
    const index = shown?.items.findIndex((subscriber) => subscriber.id === id) ?? -1;
    return shown && index >= 0 ? (shown.page - 1) * size + index : null;
  }

  function edit(): void {
    const id = presentId();
    if (id === null) return;
    if (reason !== undefined) toasts.show('bad', reason);
    else void navigate({ to: '/subscribers/$id/edit', params: { id }, search: true });
  }

  const select = () => onSelect(shown?.items.find(({ id }) => id === presentId()));
  useShortcuts({ next: () => step(1), previous: () => step(-1), edit, select });
}

function openedId(pathname: string): number | null {
  const id = /^\/subscribers\/(\d+)$/.exec(pathname)?.[1];
  return id === undefined ? null : Number(id);
}
