import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { activityQuery } from '../api/client.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { usePermission, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/count.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Pager } from '../components/pager.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { useNow } from '../components/app-context.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityTable } from './activity-table.tsx';
import { hasActivityFilter, subscriberIdIn, toActivityQuery, useActivityAddress } from './address.ts';
import { ExportButton } from './export.tsx';
import { Totals } from './totals.tsx';
import page from '../components/page.module.css';
import styles from './activity-page.module.css';

/** Who changed what, and when. */
export function ActivityPage() {
  const { address, clear, turnTo, showTotals } = useActivityAddress();
  const all = usePermission('seeAllActivity');
  const totals = all.allowed && address.totals === true;
  const query = toActivityQuery(address, useNow());
  const activity = useQuery({ ...activityQuery(query), placeholderData: keepPreviousData });
  // The rows of the previous address would contradict the error.
  const data = hasFailed(activity) && activity.isPlaceholderData ? undefined : activity.data;
  return (
    <div className={page.screen}>
      <title>Activity · Subscriber Desk</title>
      <div className={page.head}>
        <PageHeading>
          Activity <span className={page.count}>{data && grouped(data.totalCount)}</span>
        </PageHeading>
        {all.allowed && (
          <Button aria-expanded={totals} onClick={() => showTotals(!totals)}>
            Totals
          </Button>
        )}
        <ExportButton query={query} empty={data?.totalCount === 0} />
      </div>
      <Scope subscriber={subscriberIdIn(address)} />
      <ActivityFilters />
      {totals && <Totals query={query} />}
      <p role="status" className="visually-hidden">
        {data && !activity.isPlaceholderData && counted(data.totalCount, 'entry', 'entries')}
      </p>
      <ReadFailure what="the activity" read={activity} />
      {data?.items.length === 0 ? (
        <EmptyState title={nothing(hasActivityFilter(address), data.totalCount)}>
          {hasActivityFilter(address) && <Button onClick={clear}>Clear filters</Button>}
        </EmptyState>
      ) : (
        (data || !hasFailed(activity)) && (
          <ActivityTable entries={data?.items} isStale={activity.isPlaceholderData} />
        )
      )}
      {data && <Pager shown={data} page={address.page ?? 1} onTurn={turnTo} />}
    </div>
  );
}

/** Whose entries these are, for users who do not see everyone's. */
function Scope({ subscriber }: { subscriber: number | undefined }) {
  const session = useSession();
  const { allowed } = usePermission('seeAllActivity');
  if (!session || allowed) return null;
  return (
    <p className={styles.scope}>
      {subscriber === undefined
        ? 'You see only your own changes here. To see everyone’s, open a subscriber.'
        : 'You see everyone’s changes to this subscriber.'}
    </p>
  );
}

function nothing(filtered: boolean, all: number): string {
  if (all > 0) return 'Nothing on this page';
  return filtered ? 'No activity matches these filters' : 'No activity yet';
}
