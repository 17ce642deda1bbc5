import type { View, ViewQuery } from '../../../contract/bff/view.ts';
import { toListQuery, type ListAddress } from '../address.ts';

/** What an address narrows and orders by, without its page. */
export function viewQueryOf(address: ListAddress): ViewQuery {
  const { page: _page, pageSize: _size, ...rest } = address;
  return toListQuery(rest);
}

/** Whether an address shows a view, on whichever of its pages. */
export function isView(view: View, address: ListAddress): boolean {
  const [kept, present] = [view.query, viewQueryOf(address)];
  const names = new Set([...Object.keys(kept), ...Object.keys(present)]) as Set<keyof ViewQuery>;
  return [...names].every((name) => kept[name] === present[name]);
}
