import { useLoaderDeps, useNavigate, type HistoryState } from '@tanstack/react-router';
import { viewsQuery } from '../api/queries.ts';
import { useApp } from '../components/app-context.ts';
import {
  isView,
  pageSizeOf,
  readAddress,
  usualPageSize,
  withFilter,
  type ListAddress,
  type ListAddressChange,
} from '../subscriber/list-address.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The id of the saved view whose filters or order the user has changed since. */
    view?: string | undefined;
  }
}

/** The state of the list is its address: changing it navigates. */
export function useListAddress() {
  const address = useLoaderDeps({ from: '/app/subscribers/list' });
  const navigate = useNavigate();
  const { queryClient: cache, searchRef } = useApp();
  // A link to another view leaves it out, and Back restores it.
  const state = ({ view }: HistoryState) => ({
    view: cache.getQueryData(viewsQuery.queryKey)?.find((one) => isView(one, address))?.id ?? view,
  });
  const go = (next: ListAddress, replace = false, to: '.' | '/subscribers' = '.') =>
    void navigate({ to, search: next, state, replace, resetScroll: false });
  return {
    address,
    /**
     * Sets another filter or order, and goes to the first page. `replace` adds no step to the history; `to` the list closes the
     * pane.
     */
    filter: (change: ListAddressChange, replace?: boolean, to?: '/subscribers') =>
      go(withFilter(address, change), replace, to),
    /** Goes to another page of the same list. */
    turnTo: (page: number) => go(withFilter(address, { page })),
    /** Sets the page size for this and later lists. Back returns to the page size before. */
    resize: async (pageSize: number) => {
      const before = pageSizeOf(address);
      usualPageSize.set(pageSize);
      const search = readAddress({ ...address, pageSize: before });
      if (search.pageSize !== address.pageSize)
        await navigate({ to: '.', search, state, replace: true, resetScroll: false });
      go(withFilter(search, { pageSize }));
    },
    /** Removes all filters; keeps the order and the page size. */
    clear: () => {
      go(withFilter({}, { sort: address.sort, pageSize: address.pageSize }));
      // The button disappears with the filters, so the focus goes to the find box.
      searchRef.current?.focus();
    },
  };
}
