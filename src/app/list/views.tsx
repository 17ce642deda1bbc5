import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import { expiringNextQuery, useViews } from '../api/queries.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { hasFilter, isView, pageSizeOf, readAddress, type ListAddress } from '../subscriber/list-address.ts';
import { useListAddress } from './use-list-address.ts';
import { ViewLink } from './view-link.tsx';
import styles from './views.module.css';

const loadSavedViews = () => import('./saved-views.tsx');

/** The views that every user has; each is only an address. */
export const builtIn = [
  { name: 'All', filter: {}, counted: false },
  { name: 'Paid and active', filter: { expired: false, trial: false }, counted: false },
  { name: 'Expired', filter: { expired: true }, counted: false },
  { name: 'Expired last 7 days', filter: { expiresFrom: '-7d', expiresTo: 'now' }, counted: false },
  { name: 'Expired trials', filter: { expired: true, trial: true }, counted: true },
] as const satisfies readonly { name: string; filter: ListAddress; counted: boolean }[];

/** The views that every user has, then the shared ones and the user's own. At most one is the current one. */
export function Views({ ready }: { ready: boolean }) {
  const { address } = useListAddress();
  const saved = useViews();
  const { sort, page: _page, pageSize, ...filter } = address;
  const isExpiringNext = useIsExpiringNext(address);
  const isSaved = saved?.some((view) => isView(view, address)) ?? false;
  const present =
    isExpiringNext || isSaved
      ? undefined
      : builtIn.find((view) => JSON.stringify(view.filter) === JSON.stringify(filter));
  const isKnown = isExpiringNext || isSaved || (present !== undefined && sort === undefined);
  // It stays once it is loaded, because its dialog may be open when the last view is deleted.
  const savedViews = useLazyModule(loadSavedViews, saved !== undefined && (saved.length > 0 || !isKnown));
  return (
    <nav className={styles.views} aria-label="Views">
      {builtIn.map((view) => (
        <ViewLink
          key={view.name}
          name={view.name}
          to={readAddress({ ...view.filter, sort, pageSize })}
          isPresent={view === present}
          ready={ready}
          counted={view.counted}
        />
      ))}
      <ExpiringNext isPresent={isExpiringNext} />
      {saved && savedViews && <savedViews.SavedViews views={saved} ready={ready} isSavable={!isKnown} />}
    </nav>
  );
}

/** A link to the page, in expiry order, where the next subscribers expire. Its number is loaded when the link is hovered. */
function ExpiringNext({ isPresent }: { isPresent: boolean }) {
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
 * The address of the page, in expiry order, where the next subscribers expire.
 *
 * @param pageSize rows per page; undefined for the user's usual size
 */
export async function findExpiringNext(
  cache: QueryClient,
  pageSize: ListAddress['pageSize'],
): Promise<ListAddress> {
  const query = expiringNextQuery(pageSizeOf({ pageSize }));
  // If the page cannot be found, the first one in expiry order is the next best.
  const page = await cache.fetchQuery(query).catch(() => undefined);
  return addressAt(page, pageSize);
}

const addressAt = (page: number | undefined, pageSize: ListAddress['pageSize']): ListAddress =>
  readAddress({ sort: 'expiresAt', page, pageSize });

/** Whether an address is that page. Loads its number only for an address that could be it. */
function useIsExpiringNext(address: ListAddress): boolean {
  const isPossible = address.sort === 'expiresAt' && !hasFilter(address);
  const page = useQuery({ ...expiringNextQuery(pageSizeOf(address)), enabled: isPossible }).data;
  return isPossible && page === (address.page ?? 1);
}

const opensElsewhere = (event: MouseEvent) =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
