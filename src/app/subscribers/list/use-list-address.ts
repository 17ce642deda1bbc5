import { useNavigate, useSearch } from '@tanstack/react-router';
import { pageSizeOf, readAddress, usualPageSize, withFilter, type ListAddress } from '../address.ts';

type Change = Parameters<typeof withFilter>[1];

/** The list's state, which is the address; changing it is going there. */
export function useListAddress() {
  // Read again: the router keeps parameters in its search that the route does not know.
  const address = useSearch({ from: '/app/subscribers', select: readAddress });
  const navigate = useNavigate();
  const go = (next: ListAddress, replace = false) =>
    void navigate({ to: '.', search: next, replace, resetScroll: false });
  return {
    address,
    /** Narrows or orders anew, from the first page on. `replace` leaves no step in the history. */
    filter: (change: Change, replace = false) => go(withFilter(address, change), replace),
    /** Goes to another page of the same list. */
    turnTo: (page: number) => go(withFilter(address, { page })),
    /** Other pages of the same list, of that many rows from now on; the way back leads to those of before. */
    resize: async (pageSize: number) => {
      const before = pageSizeOf(address);
      usualPageSize.set(pageSize);
      const search = readAddress({ ...address, pageSize: before });
      if (search.pageSize !== address.pageSize)
        await navigate({ to: '.', search, replace: true, resetScroll: false });
      go(withFilter(search, { pageSize }));
    },
    /** Leaves only the order and the page size. */
    clear: () => {
      go(withFilter({}, { sort: address.sort, pageSize: address.pageSize }));
      // The button disappears with the filters; the user continues in the find box.
      document.getElementById('find')?.focus();
    },
  };
}
