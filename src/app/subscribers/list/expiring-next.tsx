import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import { expiringNextQuery } from '../../api/queries.ts';
import { hasFilter, pageSizeOf, readAddress, type ListAddress } from '../address.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './views.module.css';

/** The page of the expiry order where now falls. Which one it is, is asked for when somebody is about to go there. */
export function ExpiringNext({ isPresent }: { isPresent: boolean }) {
  const { address } = useListAddress();
  const [isWanted, setWanted] = useState(false);
  const target = expiringNextQuery(pageSizeOf(address));
  const page = useQuery({ ...target, enabled: isWanted }).data;
  const cache = useQueryClient();
  const navigate = useNavigate();
  async function follow(): Promise<void> {
    await navigate({
      to: '/subscribers',
      search: await findExpiringNext(cache, address.pageSize),
      resetScroll: false,
    });
  }
  return (
    <Link
      to="/subscribers"
      search={addressAt(page, address.pageSize)}
      activeOptions={{ exact: true }}
      aria-current={isPresent ? 'page' : undefined}
      resetScroll={false}
      className={styles.view ?? ''}
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onClick={(event) => {
        if (page !== undefined || opensElsewhere(event)) return;
        event.preventDefault();
        void follow();
      }}
    >
      Expiring next
    </Link>
  );
}

/**
 * The address of the page where now falls.
 *
 * @param pageSize how many rows a page has, where that is not the size that was chosen last
 */
export async function findExpiringNext(
  cache: QueryClient,
  pageSize: ListAddress['pageSize'],
): Promise<ListAddress> {
  const query = expiringNextQuery(pageSizeOf({ pageSize }));
  // Where the page cannot be found, the first one by expiry is the next best.
  const page = await cache.fetchQuery(query).catch(() => undefined);
  return addressAt(page, pageSize);
}

const addressAt = (page: number | undefined, pageSize: ListAddress['pageSize']): ListAddress =>
  readAddress({ sort: 'expiresAt', page, pageSize });

/** Whether an address is that page, as far as it is known; only an address that could be it makes it ask. */
export function useIsExpiringNext(address: ListAddress): boolean {
  const isPossible = address.sort === 'expiresAt' && !hasFilter(address);
  const page = useQuery({ ...expiringNextQuery(pageSizeOf(address)), enabled: isPossible }).data;
  return isPossible && page === (address.page ?? 1);
}

const opensElsewhere = (event: MouseEvent) =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
