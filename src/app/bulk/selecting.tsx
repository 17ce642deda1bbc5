import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type MouseEvent } from 'react';
import { jobLimits, neededFor, type JobTargets, type NewJob } from '../../contract/bff/job.ts';
import type { ListQuery, SubscriberPage } from '../../contract/service/list-query.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { selectionOf } from '../api/api.ts';
import { jobQuery } from './jobs.ts';
import { useSession } from '../api/session.ts';
import { useApp, useCommands } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/format.ts';
import { PopoverItem } from '../components/popover.tsx';
import { useShortcuts } from '../components/shortcuts.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { filterOf } from '../subscriber/list-address.ts';
import {
  finishSelecting,
  keepToFilter,
  replaceSelection,
  selectAll,
  selectOnly,
  setSelected,
  useSelection,
} from '../subscriber/selection-store.ts';
import styles from './selecting.module.css';

const loadDialogs = () => import('./job-dialogs.tsx');

type Kind = NewJob['kind'];

/** The number of selected subscribers, and buttons for them; it stays visible while the rows scroll. */
export function SelectionBar(props: {
  query: ListQuery;
  /** The page of this query; undefined while it is loading. */
  page: SubscriberPage | undefined;
  /** Number of subscribers that match the filters; null if nobody knows. */
  total: number | null;
  /** Escape closes the pane first. */
  isPaneOpen: boolean;
}) {
  const { page, total } = props;
  const app = useApp();
  const rows = page?.items ?? [];
  const filter = filterOf(props.query);
  const filterName = JSON.stringify(filter);
  useEffect(() => endIfStarted(app.queryClient), [app]);
  useEffect(() => keepToFilter(app, filterName), [app, filterName]);
  const selected = useSelection((selection) => selection);
  const isAll = useSelection((_, all) => all);
  const [requested, setRequested] = useState<Kind | null>(null);
  const count = isAll ? total : selected.length;
  const dialogs = useLazyModule(loadDialogs, requested !== null, () => setRequested(null));
  const isNear = count !== 0;
  // Before it is asked for. If this fails, it is loaded then.
  useEffect(() => {
    if (isNear) loadDialogs().catch(() => undefined);
  }, [isNear]);
  const isFiltered = Object.keys(filter).length > 0;
  const elsewhere = selected.filter((id) => !rows.some((row) => row.id === id)).length;
  const targets: JobTargets = !isAll
    ? { ids: [...selected] }
    : { ...(isFiltered ? { query: filter } : { all: true }), ...(total !== null && { shown: total }) };
  const everybody = allWords(total, isFiltered);
  return (
    <section
      className={`row card ${styles.bar}`}
      aria-label="Selection"
      data-opening={(requested && !dialogs) || undefined}
    >
      <div className={`row ${styles.what}`}>
        <SelectionSummary
          sentence={
            isAll
              ? `All ${everybody} ${total === 1 ? 'is' : 'are'} selected.`
              : summaryOf(selected.length, page ? elsewhere : 0)
          }
        />
        {isAll ? (
          <Button
            small
            variant="quiet"
            busy={!page}
            onClick={() => selectOnly(app.queryClient, filterName, idsOf(rows))}
          >
            Only this page
          </Button>
        ) : (
          (total === null || total > selected.length) && (
            <Button
              small
              variant="quiet"
              busy={!page}
              onClick={() => selectAll(app.queryClient, filterName, true)}
            >
              Select all {everybody}
            </Button>
          )
        )}
      </div>
      <Actions count={count} bindsEscape={!props.isPaneOpen} onAsk={setRequested} />
      {requested && dialogs && (
        <dialogs.JobDialog
          kind={requested}
          targets={targets}
          count={count}
          onClose={() => setRequested(null)}
        />
      )}
    </section>
  );
}

/** The selection is over once its job is started. It stays if the preview was discarded, to try something else. */
function endIfStarted(cache: QueryClient): void {
  const { jobId } = selectionOf(cache).get();
  if (jobId === null) return;
  const job = cache.getQueryData(jobQuery(jobId).queryKey);
  if (job?.startedAt !== null || job.startsAt !== null) finishSelecting(cache);
}

const idsOf = (subscribers: readonly Subscriber[]) => subscribers.map(({ id }) => id);

/** "157 that match", or "2,431 subscribers" where there is no filter. */
function allWords(total: number | null, isFiltered: boolean): string {
  if (!isFiltered) return total === null ? 'subscribers' : counted(total, 'subscriber');
  return total === null ? 'that match' : `${grouped(total)} that match`;
}

const actions: readonly { kind: Kind; name: string; isRare: boolean }[] = [
  { kind: 'extend', name: 'Extend', isRare: false },
  { kind: 'update', name: 'Edit', isRare: false },
  { kind: 'regenerate', name: 'Regenerate tokens', isRare: true },
  { kind: 'delete', name: 'Delete', isRare: true },
];

function Actions(props: {
  /** Null if nobody knows. */
  count: number | null;
  bindsEscape: boolean;
  onAsk: (kind: Kind) => void;
}) {
  const { count, bindsEscape, onAsk } = props;
  const app = useApp();
  const menu = useId();
  const session = useSession();
  const isAll = useSelection((_, all) => all);
  const allowed = actions.filter(({ kind }) => neededFor[kind].every((need) => session?.can.includes(need)));
  const disabledReason = disabledReasonOf(count, isAll);
  function done(): void {
    saveFocus();
    replaceSelection(app, null);
  }
  useShortcuts(bindsEscape ? { close: done } : {});
  const about = 'Selection';
  const size = count === null ? 'all' : grouped(count);
  useCommands([
    ...allowed.map(
      ({ kind, name }) =>
        disabledReason === undefined && { name: `${name}: ${size} selected…`, about, run: () => onAsk(kind) },
    ),
    { name: 'Stop selecting', about, run: done },
  ]);
  return (
    <div className={`row ${styles.actions}`}>
      {allowed
        .filter(({ isRare }) => !isRare)
        .map(({ kind, name }) => (
          <Button key={kind} small reason={disabledReason} onClick={() => onAsk(kind)}>
            {name}…
          </Button>
        ))}
      <Button small popoverTarget={menu}>
        More…
      </Button>
      {/* Where there is room, it is no menu: its buttons are in the bar. */}
      <div id={menu} popover="auto" role="group" aria-label="More" className={styles.menu}>
        {allowed
          .filter(({ isRare }) => isRare)
          .map(({ kind, name }) => (
            <PopoverItem
              key={kind}
              variant={kind === 'delete' ? 'quiet-danger' : 'quiet'}
              reason={disabledReason}
              onPick={() => onAsk(kind)}
            >
              {name}…
            </PopoverItem>
          ))}
        <PopoverItem reason={count === 0 ? selectFirst : undefined} onPick={() => replaceSelection(app, [])}>
          Clear selection
        </PopoverItem>
      </div>
      <Button small onClick={done}>
        Done
      </Button>
    </div>
  );
}

const selectFirst = 'Select subscribers first.';

/** Why nothing can be done with the selection. */
function disabledReasonOf(count: number | null, isAll: boolean): string | undefined {
  if (count === 0) return selectFirst;
  if (isAll || count === null || count <= jobLimits.ids) return undefined;
  return `You can select ${grouped(jobLimits.ids)} one by one: deselect ${grouped(count - jobLimits.ids)}.`;
}

/** Moves the focus from a check box or button that disappears to the row, or to the button that started selecting. */
function saveFocus(): void {
  const present = document.activeElement;
  if (!present?.matches(`table input, .${styles.bar} *`)) return;
  const row = present.closest('tr')?.querySelector('a');
  (row ?? document.getElementById('select'))?.focus();
}

/** Sets its text after it is in the page, because screen readers do not announce a live region that comes with text. */
function SelectionSummary({ sentence }: { sentence: string }) {
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (region.current) region.current.textContent = sentence;
  }, [sentence]);
  return <p ref={region} role="status" className={styles.summary} />;
}

function summaryOf(count: number, elsewhere: number): string {
  if (count === 0) return 'No subscribers selected.';
  return `${grouped(count)} selected${elsewhere > 0 ? `, ${grouped(elsewhere)} not on this page` : ''}.`;
}

/** The first cell of a row: a check box that selects it. */
export function SelectCell({ subscriber }: { subscriber: Subscriber }) {
  const cache = useQueryClient();
  const checked = useSelection((selection, all) => all || selection.includes(subscriber.id));
  return (
    <td className={styles.select} onClick={(event) => event.stopPropagation()} onMouseDown={keepText}>
      <label>
        <input
          type="checkbox"
          value={subscriber.id}
          aria-label={`Select ${subscriber.username}`}
          checked={checked}
          onClick={(event) => {
            const latest = selectionOf(cache).get().selected?.at(-1);
            if (event.shiftKey && latest !== undefined)
              for (const box of boxesFrom(latest, event.currentTarget)) box.click();
          }}
          onChange={(event) => setSelected(cache, [subscriber.id], event.target.checked)}
        />
      </label>
    </td>
  );
}

/** The heading of the column: a check box that selects all rows of the page. */
export function SelectAllCell({ subscribers = [] }: { subscribers: readonly Subscriber[] | undefined }) {
  const cache = useQueryClient();
  const count = useSelection(
    (selection, all) => subscribers.filter(({ id }) => all || selection.includes(id)).length,
  );
  const isAll = count > 0 && count === subscribers.length;
  return (
    <th scope="col" className={styles.select}>
      <label>
        <input
          type="checkbox"
          aria-label="Select all on this page"
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !isAll;
          }}
          checked={isAll}
          disabled={subscribers.length === 0}
          onChange={() => setSelected(cache, idsOf(subscribers), !isAll)}
        />
      </label>
    </th>
  );
}

/** A click with Shift selects a range of rows, and no text. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

/** The check boxes between the subscriber selected last and this one that are not in the same state. */
function boxesFrom(anchor: number, to: HTMLInputElement): HTMLInputElement[] {
  const all = [...(to.closest('tbody')?.querySelectorAll<HTMLInputElement>(`.${styles.select} input`) ?? [])];
  const start = all.findIndex(({ value }) => Number(value) === anchor);
  const end = all.indexOf(to);
  if (start < 0) return [];
  return all
    .slice(Math.min(start, end), Math.max(start, end) + 1)
    .filter((box) => box !== to && box.checked !== to.checked);
}
