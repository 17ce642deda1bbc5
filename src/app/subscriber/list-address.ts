import type { HistoryState } from '@tanstack/react-router';
import type { ScanFilter } from '../../contract/bff/scan.ts';
import type { ViewQuery, View } from '../../contract/bff/view.ts';
import { listReaders, pageSizes } from '../../contract/service/list-rules.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { createStore, type Store } from '../../lib/store.ts';
import { defineAddress, type AddressChange } from '../components/address.ts';
import { createPreference } from '../components/preference.ts';
import { listParameters, pageSizeKey } from './list-parameters.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The id of the element that had the focus where a form was opened; empty for none. Save and Cancel go back there. */
    leftAt?: string;
  }
}

/** The state of the entry of a form that is opened from another page. */
export const toReturn = (state: HistoryState): HistoryState => ({
  ...state,
  leftAt: document.activeElement?.id ?? '',
});

/** The page size for an address without one: the size that the user chose last. */
export const usualPageSize = createPreference<number>(pageSizeKey, (stored) => {
  return listReaders.PageSize(stored ?? '') ?? pageSizes.usual;
});

/** The hidden columns are stored, not the shown ones, so that a new column shows at first. */
const ownHidden = createPreference<string>('hidden-columns', (stored) => stored ?? '');

/** While a saved view is shown: its hidden columns, as the user has changed them since. The user's own choice stays stored. */
export const hiddenInView = createStore<string | null>(null);

/** The names of the hidden columns of the list that is shown, with blanks between them. */
export const hiddenColumns: Store<string> = {
  get: () => hiddenInView.get() ?? ownHidden.get(),
  set: (hidden) => (hiddenInView.get() === null ? ownHidden : hiddenInView).set(hidden),
  subscribe(listener) {
    const ends = [ownHidden, hiddenInView].map(({ subscribe }) => subscribe(listener));
    return () => ends.forEach((end) => end());
  },
};

export const pageSizeOf = ({ pageSize }: { pageSize?: number | undefined }): number =>
  pageSize ?? usualPageSize.get();

const names = Object.keys(listParameters) as (keyof typeof listParameters)[];

type Shape = { [N in keyof typeof listParameters]: (typeof listReaders)[(typeof listParameters)[N]] };

/** The list's state in its address. A page has its size, so that a colleague sees the same rows. */
const listAddress = defineAddress(
  Object.fromEntries(names.map((name) => [name, listReaders[listParameters[name]]])) as Shape,
  ({ expired, expiresFrom, ...read }) => {
    const usual = usualPageSize.get();
    const isUsual = read.pageSize === pageSizes.usual && usual === pageSizes.usual;
    // Those who have not expired are `expired=false`, unless the range has an end or another beginning.
    const begins = expired === false ? (expiresFrom ?? 'now') : expiresFrom;
    const isPresent = begins === 'now' && read.expiresTo === undefined && expired !== true;
    return {
      ...read,
      status: read.statuses === undefined ? read.status : undefined,
      expired: isPresent ? false : expired || undefined,
      expiresFrom: isPresent ? undefined : begins,
      pageSize: (isUsual ? undefined : read.pageSize) ?? (read.page === undefined ? undefined : usual),
    };
  },
);
export type ListAddress = ReturnType<typeof listAddress.read>;
export type ListAddressChange = AddressChange<ListAddress>;
export const readAddress = listAddress.read;
export const withFilter = listAddress.change;

/** The query for the service. */
export function toListQuery(address: ListAddress): ListQuery {
  const size = pageSizeOf(address);
  const { expired, expiresFrom } = address;
  const filters = {
    ...address,
    // In the contract, `Expired=false` means nothing.
    ...(expired === false && { expired: undefined, expiresFrom: expiresFrom ?? 'now' }),
    pageSize: size === pageSizes.usual ? undefined : size,
  };
  return Object.fromEntries(
    names.flatMap((name) => (filters[name] === undefined ? [] : [[listParameters[name], filters[name]]])),
  );
}

/** The same text for each page of the same list. */
export const nameOfList = ({ Page: _page, ...list }: ListQuery): string => JSON.stringify(list);

/** The filter alone, which is the same on each page and in each order. */
export const filterOf = ({
  Page: _page,
  PageSize: _size,
  SortBy: _order,
  ...filter
}: ListQuery): ScanFilter => filter;

/** The address of a query, without what an address cannot express. */
export function toAddress(query: ListQuery): ListAddress {
  return readAddress(Object.fromEntries(names.map((name) => [name, query[listParameters[name]]])));
}

export function hasFilter(address: ListAddress): boolean {
  const { sort: _sort, page: _page, pageSize: _size, ...filters } = address;
  return Object.keys(filters).length > 0;
}

/** The text that an address searches for. */
export const findTextOf = ({ email, username }: ListAddress): string => email ?? username ?? '';

/** The filters and sort order of an address, without its page. */
export function viewQueryOf(address: ListAddress): ViewQuery {
  const { page: _page, pageSize: _size, ...rest } = address;
  return toListQuery(rest);
}

/** True if an address shows a view, on any of its pages. */
export const isView = ({ query }: View, address: ListAddress): boolean =>
  JSON.stringify(viewQueryOf(toAddress(query))) === JSON.stringify(viewQueryOf(address));

/** Plain search strings (`?expired=true&page=2`), which people can read and type. */
export const searchStrings = {
  parseSearch: (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Readonly<Record<string, unknown>>): string => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
};

export const rowLinkPrefix = 'subscriber-';

/** The element id of the link in a subscriber's row. */
export const rowLinkId = (id: number): string => `${rowLinkPrefix}${id}`;

export const rowLink = (id: number): HTMLElement | null => document.getElementById(rowLinkId(id));
