import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type Ref } from 'react';
import type { ViewQuery } from '../../contract/bff/view.ts';
import { subscriberCountQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { needsScan, scanProgressQuery } from '../api/trial-scan-query.ts';
import { grouped } from '../components/count.ts';
import { filterOf, toListQuery, type ListAddress } from '../subscriber/list-address.ts';
import styles from './views.module.css';

/**
 * A link to a view with its count.
 *
 * @param counted whether the count is always there; otherwise it is while the link is hovered or focused
 */
export function ViewLink({
  name,
  to,
  isPresent,
  ready,
  counted,
  ref,
}: {
  name: string;
  to: ListAddress;
  isPresent: boolean;
  ready: boolean;
  counted: boolean;
  ref?: Ref<HTMLAnchorElement>;
}) {
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
 * How many subscribers a view has.
 *
 * @param props.ready false until the list itself is loaded, which goes first
 * @param props.isBelow whether it hangs below the name instead of taking space beside it
 */
function ViewCount(props: { view: ListAddress; ready: boolean; isBelow: boolean }) {
  const extensions = useSession()?.extensions;
  const filter = filterOf(toListQuery(props.view));
  const Count = extensions && needsScan(filter, extensions) ? ScannedCount : AskedCount;
  return (
    <span className={`${styles.count} ${props.isBelow ? styles.below : ''}`}>
      {extensions && props.ready && <Count filter={filter} />}
    </span>
  );
}

function AskedCount({ filter }: { filter: ViewQuery }) {
  // It changes slowly, and there are many.
  const query = { ...subscriberCountQuery(filter), staleTime: 60_000 };
  return <Pill of={useQuery(query).data} />;
}

/** A count alone is not worth a scan, so it shows after the view has been opened. */
function ScannedCount({ filter }: { filter: ViewQuery }) {
  const progress = useQuery(scanProgressQuery(filter)).data;
  return <Pill of={progress?.state === 'complete' ? progress.found : undefined} />;
}

const Pill = ({ of }: { of: number | undefined }) => of !== undefined && <span>{grouped(of)}</span>;
