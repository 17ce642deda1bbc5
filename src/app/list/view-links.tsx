import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type MouseEvent, type Ref } from 'react';
import { expiringNextQuery, subscriberCountQuery, useViews } from '../api/queries.ts';
import { needsScan } from '../../contract/service/list-rules.ts';
import { useSession } from '../api/session.ts';
import { scanQuery } from './use-list-rows.ts';
import { grouped } from '../components/format.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import {
  filterOf,
  hasFilter,
  isView,
  pageSizeOf,
  readAddress,
  toListQuery,
  type ListAddress,
} from '../subscriber/list-address.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './view-links.module.css';

const loadSavedViews = () => import('./saved-views.tsx');

/** The views that every user has; each is only an address. */
export const builtIn = [
  { name: 'All', filter: {} },
  { name: 'Paid and active', filter: { expired: false, trial: false } },
  { name: 'Expired', filter: { expired: true } },
  { name: 'Expired last 7 days', filter: { expiresFrom: '-7d', expiresTo: 'now' } },
  { name: 'Expired trials', filter: { expired: true, trial: true }, counted: true },
] as const satisfies readonly { name: string; filter: ListAddress; counted?: true }[];

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
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isKnown || savedViews)
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isKnown, savedViews]);
  return (
    <nav ref={nav} className={styles.views} aria-label="Views">
      {builtIn.map((view) => (
        <ViewLink
          key={view.name}
          name={view.name}
          to={readAddress({ ...view.filter, sort, pageSize })}
          isPresent={view === present}
          ready={ready}
          counted={'counted' in view}
        />
      ))}
      {savedViews?.linkToExpiring(address, ready) ?? <ExpiringNext isPresent={isExpiringNext} />}
      {saved && savedViews && <savedViews.SavedViews views={saved} ready={ready} isSavable={!isKnown} />}
    </nav>
  );
}

/** A link to the page, in expiry order, where the next subscribers expire. Its number is loaded when the link is hovered. */
function ExpiringNext({ isPresent }: { isPresent: boolean }) {
  const { address } = useListAddress();
  const [isNeeded, setNeeded] = useState(false);
  const target = expiringNextQuery(pageSizeOf(address));
  const page = useQuery({ ...target, enabled: isNeeded }).data;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const follow = (search: ListAddress) => navigate({ to: '/subscribers', search, resetScroll: false });
  return (
    <Link
      to="/subscribers"
      search={addressAt(page, address.pageSize)}
      activeOptions={{ exact: true }}
      aria-current={isPresent ? 'page' : undefined}
      resetScroll={false}
      className={styles.view ?? ''}
      onPointerEnter={() => setNeeded(true)}
      onFocus={() => setNeeded(true)}
      onClick={(event) => {
        if (page !== undefined || opensElsewhere(event)) return;
        event.preventDefault();
        void findExpiringNext(cache, address.pageSize).then(follow);
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

/** True if an address is that page. Loads its number only for an address that could be it. */
function useIsExpiringNext(address: ListAddress): boolean {
  const isPossible = address.sort === 'expiresAt' && !hasFilter(address);
  const page = useQuery({ ...expiringNextQuery(pageSizeOf(address)), enabled: isPossible }).data;
  return isPossible && page === (address.page ?? 1);
}

const opensElsewhere = (event: MouseEvent) =>
  event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

/**
 * A link to a view with its count.
 *
 * @param counted whether the count is always there; otherwise it is while the link is hovered or focused
 */
export function ViewLink(props: {
  name: string;
  to: ListAddress;
  isPresent: boolean;
  ready: boolean;
  counted: boolean;
  ref?: Ref<HTMLAnchorElement>;
}) {
  const { name, to, isPresent, ready, counted, ref } = props;
  const [isLookedAt, setLookedAt] = useState(false);
  const look = () => setLookedAt(true);
  const lookAway = () => setLookedAt(false);
  return (
    <Link
      ref={ref}
      to="/subscribers"
      search={to}
      // For a view only the filter counts; the router would compare the sort order and the page too.
      activeOptions={{ exact: true }}
      aria-current={isPresent ? 'page' : undefined}
      resetScroll={false}
      className={styles.view ?? ''}
      onPointerEnter={look}
      onPointerLeave={lookAway}
      onFocus={look}
      onBlur={lookAway}
    >
      {name}
      {(counted || isLookedAt) && (
        // Another key, so that a count that is older than a minute is loaded again.
        <ViewCount key={String(isLookedAt)} view={to} ready={ready} isBelow={!counted} />
      )}
    </Link>
  );
}

/**
 * Number of subscribers in a view.
 *
 * @param props.ready false until the list itself is loaded, which goes first
 * @param props.isBelow whether it hangs below the name instead of taking space beside it
 */
function ViewCount(props: { view: ListAddress; ready: boolean; isBelow: boolean }) {
  const extensions = useSession()?.extensions;
  const filter = filterOf(toListQuery(props.view));
  const isReady = extensions !== undefined && props.ready;
  const scans = isReady && needsScan(filter, extensions);
  // It changes slowly, and there are many.
  const query = { ...subscriberCountQuery(filter), staleTime: 60_000 };
  const counted = useQuery({ ...query, enabled: isReady && !scans }).data;
  // A count alone is not worth a scan, so it shows after the view has been opened.
  const scan = useQuery({ ...scanQuery(filter), enabled: false }).data;
  const found = scan?.state === 'complete' ? scan.found : undefined;
  const count = scans ? found : counted;
  return (
    <span className={`${styles.count} ${props.isBelow ? styles.below : ''}`}>
      {isReady && count !== undefined && <span>{grouped(count)}</span>}
    </span>
  );
}
