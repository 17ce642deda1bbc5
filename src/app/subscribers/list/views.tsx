import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { subscriberCountQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { grouped } from '../../ui/count.ts';
import { readAddress, toListQuery, type ListAddress } from '../address.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './views.module.css';

/** Lists that are asked for often; each is only an address. */
const views = [
  { name: 'All', filter: {}, counted: false },
  { name: 'Expired', filter: { expired: true }, counted: false },
  { name: 'Expired trials', filter: { expired: true, trial: true }, counted: true },
] as const satisfies readonly { name: string; filter: ListAddress; counted: boolean }[];

export function Views({ ready }: { ready: boolean }) {
  const { address } = useListAddress();
  const { sort, page: _page, pageSize, ...filter } = address;
  const present = JSON.stringify(filter);
  const canFilterTrials = useSession()?.extensions.includes('IsTrial') ?? false;
  const offered = views.filter((view) => canFilterTrials || !('trial' in view.filter));
  return (
    <nav className={styles.views} aria-label="Views">
      {offered.map((view) => (
        <Link
          key={view.name}
          to="/subscribers"
          search={readAddress({ ...view.filter, sort, pageSize })}
          // The filter alone makes the view; the router's own idea of an active link counts order and page too.
          activeOptions={{ exact: true }}
          aria-current={JSON.stringify(view.filter) === present ? 'page' : undefined}
          resetScroll={false}
          className={styles.view ?? ''}
        >
          {view.name}
          {view.counted && ready && <Count filter={view.filter} />}
        </Link>
      ))}
    </nav>
  );
}

/** Asked for after the list itself, which nobody should wait for. */
function Count({ filter }: { filter: ListAddress }) {
  const count = useQuery(subscriberCountQuery(toListQuery(filter))).data;
  return count === undefined ? null : <span className={styles.count}>{grouped(count)}</span>;
}
