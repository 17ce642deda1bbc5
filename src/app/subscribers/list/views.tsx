import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useViews } from '../../api/queries.ts';
import { readAddress, type ListAddress } from '../address.ts';
import { ExpiringNext, useIsExpiringNext } from './expiring-next.tsx';
import { isView } from './saved-address.ts';
import { useListAddress } from './use-list-address.ts';
import { ViewCount } from './view-count.tsx';
import styles from './views.module.css';

const SavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));

/** Lists that are asked for often; each is only an address. */
export const builtIn = [
  { name: 'All', filter: {}, counted: false },
  { name: 'Expired', filter: { expired: true }, counted: false },
  { name: 'Expired trials', filter: { expired: true, trial: true }, counted: true },
] as const satisfies readonly { name: string; filter: ListAddress; counted: boolean }[];

/** The views that everybody has, then one's own. Of all of them at most one is the present one. */
export function Views({ ready }: { ready: boolean }) {
  const { address } = useListAddress();
  const own = useViews();
  const { sort, page: _page, pageSize, ...filter } = address;
  const isExpiringNext = useIsExpiringNext(address);
  const isOwn = own?.some((view) => isView(view, address)) ?? false;
  const present =
    isExpiringNext || isOwn
      ? undefined
      : builtIn.find((view) => JSON.stringify(view.filter) === JSON.stringify(filter));
  const isKnown = isExpiringNext || isOwn || (present !== undefined && sort === undefined);
  const [isLoaded, setLoaded] = useState(false);
  const isNeeded = own !== undefined && (own.length > 0 || !isKnown);
  // Once it is here it stays: a dialog of it may be open when the last of one's views goes.
  if (isNeeded && !isLoaded) setLoaded(true);
  return (
    <nav className={styles.views} aria-label="Views">
      {builtIn.map((view) => (
        <Link
          key={view.name}
          to="/subscribers"
          search={readAddress({ ...view.filter, sort, pageSize })}
          // The filter alone makes the view; the router's own idea of an active link counts order and page too.
          activeOptions={{ exact: true }}
          aria-current={view === present ? 'page' : undefined}
          resetScroll={false}
          className={styles.view ?? ''}
        >
          {view.name}
          {view.counted && <ViewCount filter={view.filter} ready={ready} />}
        </Link>
      ))}
      <ExpiringNext isPresent={isExpiringNext} />
      {own && (isNeeded || isLoaded) && (
        <Suspense fallback={null}>
          <SavedViews views={own} ready={ready} isSavable={!isKnown} />
        </Suspense>
      )}
    </nav>
  );
}
