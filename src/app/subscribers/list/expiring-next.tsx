import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import { pageSizes } from '../../../contract/service/list-query.ts';
import { expiringNextQuery } from '../../api/queries.ts';
import { hasFilter, readAddress, type ListAddress } from '../address.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './views.module.css';

/** The page of the expiry order where now falls. Which one it is, is asked for when somebody is about to go there. */
export function ExpiringNext({ isPresent }: { isPresent: boolean }) {
  const { address } = useListAddress();
  const [isWanted, setWanted] = useState(false);
  const target = expiringNextQuery(sizeOf(address));
  const page = useQuery({ ...target, enabled: isWanted }).data;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const searchAt = (there: number | undefined) =>
    readAddress({ sort: 'expiresAt', page: there, pageSize: address.pageSize });

  async function follow(): Promise<void> {
    // Where it cannot be told, the order of expiry from its beginning is the next best.
    const there = await cache.fetchQuery(target).catch(() => undefined);
    await navigate({ to: '/subscribers', search: searchAt(there), resetScroll: false });
  }
  return (
    <Link
      to="/subscribers"
      search={searchAt(page)}
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

/** Whether an address is that page, as far as it is known; only an address that could be it makes the desk ask. */
export function useIsExpiringNext(address: ListAddress): boolean {
  const isPossible = address.sort === 'expiresAt' && !hasFilter(address);
  const page = useQuery({ ...expiringNextQuery(sizeOf(address)), enabled: isPossible }).data;
  return isPossible && page === (address.page ?? 1);
}

const sizeOf = ({ pageSize = pageSizes.usual }: ListAddress): number => pageSize;

const opensElsewhere = (event: MouseEvent) =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
