import { Link, Outlet, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ViewQuery } from '../../contract/bff/view.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import type { SubscriberPage } from '../../contract/service/list-query.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { useApp, useCommands, WindowTitle } from '../components/app-context.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { counted, grouped } from '../components/format.ts';
import { Icon } from '../components/icon.tsx';
import { KeyHint, useShortcuts } from '../components/shortcuts.tsx';
import { Pager } from '../components/pager.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { nameOfList, pageSizeOf, toListQuery, toReturn, viewQueryOf } from '../subscriber/list-address.ts';
import { loadSelectionStore, useSelecting, useSelectingParts } from './use-selecting.tsx';
import { Filters } from './filters.tsx';
import { SubscriberTable } from './subscriber-table.tsx';
import { useListAddress } from './use-list-address.ts';
import { useListRows, usePagesAhead } from './use-list-rows.ts';
import { useRowKeys } from './use-row-keys.ts';
import { Views } from './view-links.tsx';
import styles from './list-page.module.css';

/** The list, and beside it the pane of the subscriber in the address. */
export function ListPage() {
  const { address, turnTo, resize } = useListAddress();
  const size = pageSizeOf(address);
  const openId = useParams({ from: '/app/subscribers/list/$id', shouldThrow: false })?.id;
  const query = toListQuery(address);
  const { read, hasFailed, data: page, isStale, scanned } = useListRows(query);
  /** Undefined until the page of this address is loaded. */
  const ownPage = isStale ? undefined : page;
  const isEmpty = page?.items.length === 0 && !isStale;
  const nothing = useLazyModule(() => import('./nothing-found.tsx'), isEmpty);
  const scan = useLazyModule(() => import('./trial-scan-bar.tsx'), scanned !== null);

  useFocusOnArrival(openId === undefined);
  // A scan has loaded all its pages already.
  const fetchAhead = usePagesAhead(address, scanned ? undefined : ownPage);
  const { queryClient, headingRef } = useApp();
  const { isOn, start } = useSelecting();
  const selection = useSelectingParts(isOn);
  const canImport = usePermission('runJobs').allowed;
  const canCreate = usePermission('createSubscriber').allowed;
  useRowKeys(query, ownPage, {
    fetchesAhead: scanned === null,
    onSelect(subscriber) {
      if (start() && subscriber)
        void loadSelectionStore().then(({ toggleSelected }) => toggleSelected(queryClient, subscriber.id));
    },
  });

  const failure = (
    <ReadFailure what="the list" read={read} byHand={scanned !== null} inline={page !== undefined} />
  );
  return (
    <div className={`stack ${styles.screen}`} data-pane={openId !== undefined || undefined}>
      {openId === undefined && <WindowTitle>Subscribers</WindowTitle>}
      <div className={styles.list}>
        <div className={styles.head}>
          <h1 ref={headingRef} className={styles.heading} tabIndex={-1}>
            Subscribers{' '}
            <span className={`muted ${styles.count}`} data-stale={isStale || undefined}>
              {page && !hasFailed && grouped(page.totalCount)}
            </span>
          </h1>
          <div className={`row ${styles.actions}`}>
            <ExportButton query={viewQueryOf(address)} count={hasFailed ? undefined : ownPage?.totalCount} />
            {canImport && (
              <Link to="/jobs/import" className={buttonClass()}>
                Import…
              </Link>
            )}
            {canCreate && (
              <Link
                to="/subscribers/new"
                search={true}
                state={toReturn}
                className={buttonClass({ variant: 'primary' })}
              >
                <Icon name="plus" />
                <span>New subscriber</span>
                <KeyHint of="create" />
              </Link>
            )}
          </div>
        </div>
        <Views ready={page !== undefined || isStale} />
        <Filters page={hasFailed ? undefined : ownPage} />
        {!page && failure}
        {isEmpty
          ? nothing && <nothing.NothingFound total={page.totalCount} />
          : (page || !hasFailed) && (
              <SubscriberTable
                page={page}
                expected={Math.min(size, 50)}
                isStale={isStale}
                openId={openId}
                selection={selection}
              />
            )}
        {/* Below the rows, where it moves none of them. */}
        <div className={`stack ${styles.footer}`}>
          {page && failure}
          {scanned && scan && <scan.TrialScanBar filter={scanned} />}
          {selection && (
            <selection.SelectionBar
              query={query}
              page={ownPage}
              // A scan may have been stopped before its end.
              total={scanned ? null : (page?.totalCount ?? null)}
              isPaneOpen={openId !== undefined}
            />
          )}
          {!isEmpty && (page || !hasFailed) && (
            <Pager
              shown={page}
              page={address.page ?? 1}
              onReach={fetchAhead}
              onTurn={(next) => {
                turnTo(next);
                // The next page starts at its top.
                document.querySelector('thead')?.scrollIntoView({ block: 'nearest' });
              }}
              size={{ value: size, choices: sizes, onChange: (next) => void resize(next) }}
            />
          )}
        </div>
        <Announcement list={nameOfList(query)} page={ownPage} />
      </div>
      <Outlet />
    </div>
  );
}

const sizes = [pageSizes.usual, 50, 100, pageSizes.most];

/** Moves the focus to the heading after coming from another screen, or where it was lost on the way. */
function useFocusOnArrival(alone: boolean): void {
  const { headingRef } = useApp();
  const { history } = useRouter();
  const isNew = useRef(true);
  useEffect(() => {
    // On a freshly loaded page the focus starts at the top, where the skip link is.
    const arrived = history.location.state.__TSR_index > 0;
    if (alone && arrived && (isNew.current || document.activeElement === document.body))
      headingRef.current?.focus({ preventScroll: true });
    isNew.current = false;
  }, [headingRef, alone, history]);
}

/** Opens the export of the list, for users who may take it away as a file. */
function ExportButton(list: { query: ViewQuery; count: number | undefined }) {
  const { allowed } = usePermission('exportSubscribers');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const parts = useLazyModule(() => import('../bulk/export-dialog.tsx'), isOpen, close);
  const open = () => allowed && setOpen(true);
  useShortcuts({ export: open });
  useCommands([allowed && { name: 'Export subscribers', about: 'List', run: open }]);
  if (!allowed) return null;
  return (
    <>
      <Button data-opening={(isOpen && !parts) || undefined} onClick={open}>
        Export…
        <KeyHint of="export" />
      </Button>
      {isOpen && parts && <parts.ExportDialog {...list} onClose={close} />}
    </>
  );
}

/**
 * Tells screen readers about new rows, once: the page after paging, else the number of subscribers.
 *
 * @param list the same text for each page of the same list
 */
function Announcement({ list, page }: { list: string; page: SubscriberPage | undefined }) {
  const [announced, setAnnounced] = useState({ list: '', page: 0, total: 0, sentence: '' });
  const isNew =
    page && (announced.list !== list || announced.page !== page.page || announced.total !== page.totalCount);
  if (page && isNew) {
    const paged = announced.list === list && announced.page !== page.page;
    setAnnounced({
      list,
      page: page.page,
      total: page.totalCount,
      sentence: paged ? pageOf(page) : countOf(page),
    });
  }
  return (
    <p role="status" className="visually-hidden">
      {page && announced.sentence}
    </p>
  );
}

const pageOf = ({ page, totalPages }: SubscriberPage) => `Page ${grouped(page)} of ${grouped(totalPages)}.`;

const countOf = ({ totalCount }: SubscriberPage) =>
  totalCount === 0 ? 'No subscribers.' : `${counted(totalCount, 'subscriber')}.`;
