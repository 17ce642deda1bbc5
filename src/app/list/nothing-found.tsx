import { Link } from '@tanstack/react-router';
import type { Bundle } from '../../contract/bff/bundle.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { useLeavesFocus } from '../components/app-context.ts';
import { usePermission } from '../api/session.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/page.tsx';
import { counted, grouped } from '../components/format.ts';
import { hasFilter, toListQuery, toReturn, type ListAddress } from '../subscriber/list-address.ts';
import { useBundles } from '../subscriber/bundles.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { useStatuses } from '../subscriber/status-badge.tsx';
import { Nearest, useTextMatches } from './nearest.tsx';
import { useListAddress } from './use-list-address.ts';

/** An empty list says why it is empty and what to do about it. */
export function NothingFound({ total }: { total: number }) {
  const { address, filter, turnTo } = useListAddress();
  const statuses = useStatuses();
  const bundles = useBundles();
  const { allowed, reason } = usePermission('createSubscriber');
  const leavesFocus = useLeavesFocus();
  const { username, email, sort: _sort, page: _page, pageSize: _size, ...others } = address;
  const isSearch = (username ?? email) !== undefined;
  const { isNobody, nearest, notes } = useTextMatches(isSearch && total === 0 ? 0 : undefined);
  if (total > 0)
    return (
      <EmptyState
        title={`There’s no page ${grouped(address.page ?? 1)}`}
        hint="The list got shorter, or the link is old."
      >
        <Button ref={leavesFocus} onClick={() => turnTo(1)}>
          Go to the first page
        </Button>
      </EmptyState>
    );
  if (hasFilter(address)) {
    const advice = isSearch ? ' Or search for a part of it, an ID such as #123, or the access token.' : '';
    const without = Object.fromEntries(Object.keys(others).map((name) => [name, undefined]));
    return (
      <EmptyState
        title="No subscribers match"
        hint={`${describeFilters(address, statuses, bundles, isNobody)}${advice}`}
      >
        {isSearch && Object.keys(others).length > 0 && (
          <Button onClick={() => filter(without)}>Search all subscribers</Button>
        )}
        {/* Last, as it comes later and moves nothing. */}
        <p role="status">
          {notes && <Button onClick={notes.show}>Show {counted(notes.count, 'note')} with this</Button>}{' '}
          <Nearest of={nearest} isRow />
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No subscribers yet" hint={reason ?? 'Create the first subscriber.'}>
      {allowed && (
        <Link to="/subscribers/new" state={toReturn} className={buttonClass({ variant: 'primary' })}>
          New subscriber
        </Link>
      )}
    </EmptyState>
  );
}

/**
 * "Filters: username “anna”, expired. Remove one to see more."
 *
 * @param isNobody true if no email has the text either, or no username
 */
function describeFilters(
  address: ListAddress,
  statuses: readonly Status[] | undefined,
  bundles: readonly Bundle[],
  isNobody: boolean,
): string {
  const { username, email, ...others } = address;
  const isInBoth = isNobody && (username === undefined || email === undefined);
  const filters = isInBoth
    ? [`username or email “${username ?? email}”`, ...filterWords(toListQuery(others), statuses, bundles)]
    : filterWords(toListQuery(address), statuses, bundles);
  return filters.length === 1
    ? `Filter: ${filters[0]}. Remove it to see more.`
    : `Filters: ${filters.join(', ')}. Remove one to see more.`;
}
