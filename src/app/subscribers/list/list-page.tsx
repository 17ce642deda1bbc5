import { Link, Outlet, useParams, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, type Ref } from 'react';
import { pageSizes, type ListQuery, type SubscriberPage } from '../../../contract/service/list-query.ts';
import { hasFailed, ReadFailure } from '../../api/read-failure.tsx';
import { usePermission } from '../../api/session.ts';
import { buttonClass } from '../../components/button.tsx';
import { grouped } from '../../components/count.ts';
import { Icon } from '../../components/icon.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { useInSight } from '../../components/use-in-sight.ts';
import { nameOfList, toListQuery } from '../address.ts';
import { useSelecting, useWhileSelecting } from '../selection/use-selecting.ts';
import { Announcement } from './announcement.tsx';
import { Filters } from './filters.tsx';
import { Pager } from './pager.tsx';
import { SubscriberTable, type Marks } from './subscriber-table.tsx';
import { useListAddress } from './use-list-address.ts';
import { useListRows } from './use-list-rows.ts';
import { useNextPageAhead } from './use-next-page-ahead.ts';
import { useRowSteps } from './use-row-steps.ts';
import { Views } from './views.tsx';
import styles from './list-page.module.css';

const TrialWalkBar = lazy(async () => ({ default: (await import('./trial-scan-bar.tsx')).TrialWalkBar }));
const NothingFound = lazy(async () => ({ default: (await import('./nothing-found.tsx')).NothingFound }));

/** The list, and at its side the pane of the subscriber that the address names. */
export function ListPage() {
  const { address } = useListAddress();
  const selected = useParams({ strict: false, select: (params) => params.id });
  const query = toListQuery(address);
  const page = useListRows(query);
  const failed = hasFailed(page);
  useFocusOnArrival(selected === undefined);
  const [pager, pagerInSight] = useInSight(200);
  const shown = page.isPlaceholderData ? undefined : page.data;
  // What was found by a walk is all here.
  useNextPageAhead(query, page.walked ? undefined : shown, pagerInSight);
  const { isOn, act } = useSelecting();
  const selecting = useWhileSelecting(isOn);
  useRowSteps(query, shown, {
    fetchesAhead: page.walked === null,
    onSelect: (one) => act(({ toggle }, { queryClient }) => one && toggle(queryClient, one)),
  });

  return (
    <div className={styles.screen} data-pane={selected !== undefined || undefined}>
      {selected === undefined && <title>Subscribers · Subscriber Desk</title>}
      <div className={styles.list}>
        <div className={styles.head}>
          <h1 id="list-heading" className={styles.heading} tabIndex={-1}>
            Subscribers{' '}
            <span className={styles.count} data-stale={page.isPlaceholderData || undefined}>
              {page.data && !failed && grouped(page.data.totalCount)}
            </span>
          </h1>
          <NewSubscriber />
        </div>
        <Views ready={page.data !== undefined} />
        <Filters />
        {page.walked && (
          <Suspense fallback={null}>
            <TrialWalkBar filter={page.walked} />
          </Suspense>
        )}
        <ReadFailure what="The list" read={page} />
        {selecting && (
          <selecting.SelectionBar query={query} rows={page.data?.items} beside={selected !== undefined} />
        )}
        <Rows
          pagerRef={pager}
          query={query}
          page={failed && page.isPlaceholderData ? undefined : page.data}
          failed={failed}
          stale={page.isPlaceholderData}
          selected={selected}
          marks={selecting}
        />
        <Announcement list={nameOfList(query)} page={shown} />
      </div>
      <Outlet />
    </div>
  );
}

function Rows(props: {
  pagerRef: Ref<HTMLDivElement>;
  query: ListQuery;
  page: SubscriberPage | undefined;
  failed: boolean;
  stale: boolean;
  selected: number | undefined;
  marks: Marks | null;
}) {
  const { page, pagerRef } = props;
  if (!page && props.failed) return null;
  if (page?.items.length === 0 && !props.stale)
    return (
      <Suspense>
        <NothingFound total={page.totalCount} />
      </Suspense>
    );
  return (
    <>
      <SubscriberTable
        subscribers={page?.items}
        awaited={Math.min(props.query.PageSize ?? pageSizes.usual, 50)}
        stale={props.stale}
        selected={props.selected}
        marks={props.marks}
      />
      <Pager ref={pagerRef} shown={page} />
    </>
  );
}

/** Whoever comes to the list from another screen, or has lost the focus on the way, begins at its heading. */
function useFocusOnArrival(alone: boolean): void {
  const { history } = useRouter();
  const isNew = useRef(true);
  useEffect(() => {
    // A page that was just loaded begins at its top, where the way past the navigation is.
    const arrived = history.location.state.__TSR_index > 0;
    if (alone && arrived && (isNew.current || document.activeElement === document.body))
      document.getElementById('list-heading')?.focus({ preventScroll: true });
    isNew.current = false;
  }, [alone, history]);
}

function NewSubscriber() {
  const { allowed } = usePermission('createSubscriber');
  if (!allowed) return null;
  return (
    <Link to="/subscribers/new" search={true} className={buttonClass({ look: 'primary' })}>
      <Icon name="plus" />
      New subscriber
      <KeyHint of="create" />
    </Link>
  );
}
