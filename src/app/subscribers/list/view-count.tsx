import { useQuery } from '@tanstack/react-query';
import { subscriberCountQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { needsScan, scanFilterOf, scanProgressQuery } from '../../api/trial-scan-query.ts';
import { grouped } from '../../components/count.ts';
import { toListQuery, type ListAddress } from '../address.ts';
import styles from './views.module.css';

/** How many subscribers a view has. @param props.ready false until the list itself is loaded, which goes first */
export function ViewCount({ filter, ready }: { filter: ListAddress; ready: boolean }) {
  const extensions = useSession()?.extensions;
  if (!extensions || !ready) return <Count of={undefined} />;
  const isScanned = needsScan(toListQuery(filter), extensions);
  return isScanned ? <ScannedCount filter={filter} /> : <AskedCount filter={filter} />;
}

function AskedCount({ filter }: { filter: ListAddress }) {
  return <Count of={useQuery(subscriberCountQuery(toListQuery(filter))).data} />;
}

/** A count alone is not worth a scan, so it shows after the view has been opened. */
function ScannedCount({ filter }: { filter: ListAddress }) {
  const progress = useQuery(scanProgressQuery(scanFilterOf(toListQuery(filter)))).data;
  return <Count of={progress?.state === 'complete' ? progress.found : undefined} />;
}

/** Takes its space before the number is there, so that nothing moves. */
function Count({ of }: { of: number | undefined }) {
  return <span className={styles.count}>{of !== undefined && grouped(of)}</span>;
}
