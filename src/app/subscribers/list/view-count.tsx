import { useQuery } from '@tanstack/react-query';
import { subscriberCountQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { walkedFilter, walkTallyQuery } from '../../api/scan-progress.ts';
import { grouped } from '../../components/count.ts';
import { toListQuery, type ListAddress } from '../address.ts';
import styles from './views.module.css';

/** How many subscribers a view has; asked for when it is time, which is after the list itself. */
export function ViewCount({ filter, ready }: { filter: ListAddress; ready: boolean }) {
  const extensions = useSession()?.extensions;
  if (!extensions || !ready) return <Count of={undefined} />;
  const isWalked = filter.trial === true && !extensions.includes('IsTrial');
  return isWalked ? <WalkedCount filter={filter} /> : <AskedCount filter={filter} />;
}

function AskedCount({ filter }: { filter: ListAddress }) {
  return <Count of={useQuery(subscriberCountQuery(toListQuery(filter))).data} />;
}

/** Nobody's list is looked through only for a number: there is one as soon as the view was opened. */
function WalkedCount({ filter }: { filter: ListAddress }) {
  const tally = useQuery(walkTallyQuery(walkedFilter(toListQuery(filter)))).data;
  return <Count of={tally?.state === 'complete' ? tally.found : undefined} />;
}

/** Its place is kept from the beginning, so that nothing moves when it comes. */
function Count({ of }: { of: number | undefined }) {
  return <span className={styles.count}>{of !== undefined && grouped(of)}</span>;
}
