import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Bundle } from '../../contract/bff/bundle.ts';
import { clientOf } from '../api/client.ts';

/** The names of bundles. They change rarely: each pane would ask for them otherwise. */
export const bundlesQuery = queryOptions({
  queryKey: ['listBundles'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listBundles({}, { signal })).data,
  staleTime: 10 * 60_000,
});

const none: readonly Bundle[] = [];

/** The bundles that have a name; none while they load, or if that fails: then numbers stay numbers. */
export const useBundles = (): readonly Bundle[] => useQuery(bundlesQuery).data?.bundles ?? none;

/** "Sports · 3", or the number alone if it has no name. */
export function bundleText(number: number, bundles: readonly Bundle[]): string {
  const name = bundles.find((one) => one.number === number)?.name;
  return name === undefined ? String(number) : `${name} · ${number}`;
}
