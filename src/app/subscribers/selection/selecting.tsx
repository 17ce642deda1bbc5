import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { pageSizes, type ListQuery } from '../../../contract/service/list-query.ts';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { useApp, useCommands } from '../../components/app-context.ts';
import { Button } from '../../components/button.tsx';
import { grouped } from '../../components/count.ts';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useLazyModule } from '../../components/use-lazy-module.ts';
import type { Target } from './delete-run.ts';
import {
  clearSelection,
  exitSelecting,
  isSelected,
  selectionQuery,
  setSelected,
  useSelection,
  type Selection,
} from './selection-store.ts';
import styles from './selecting.module.css';

const loadDialog = () => import('./delete-selected.tsx');

/** How many are selected, and buttons for them; it stays visible while the rows scroll. */
export function SelectionBar(props: {
  query: ListQuery;
  rows: readonly Subscriber[] | undefined;
  /** Escape closes the pane first. */
  isPaneOpen: boolean;
}) {
  const { rows = [] } = props;
  const cache = useQueryClient();
  const selected = useSelection((selection) => selection);
  const [asked, setAsked] = useState<readonly Target[] | null>(null);
  const dialogs = useLazyModule(loadDialog, selected.length > 0, () => setAsked(null));
  const [ended, setEnded] = useState(0);
  const isKept = useOtherFilter(props.query, selected);
  const elsewhere = selected.filter(({ id }) => !rows.some((row) => row.id === id)).length;
  // The button that opened the dialog is off now.
  useEffect(() => {
    if (ended > 0) document.getElementById('list-heading')?.focus({ preventScroll: true });
  }, [ended]);
  return (
    <section className={styles.bar} aria-label="Selection" data-opening={(asked && !dialogs) || undefined}>
      <SelectionSummary count={selected.length} elsewhere={elsewhere} isKept={isKept} />
      <Actions
        count={selected.length}
        bindsEscape={!props.isPaneOpen}
        onDelete={() => setAsked(targetsOf(cache, selected, rows))}
      />
      {asked && dialogs && (
        <dialogs.DeleteSelected
          targets={asked}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            setEnded(ended + 1);
          }}
        />
      )}
    </section>
  );
}

function Actions(props: { count: number; bindsEscape: boolean; onDelete: () => void }) {
  const { count, bindsEscape, onDelete } = props;
  const app = useApp();
  const reason = count > pageSizes.most ? tooMany(count) : count === 0 ? selectFirst : undefined;
  function done(): void {
    saveFocus();
    exitSelecting(app);
  }
  useShortcuts(bindsEscape ? { close: done } : {});
  useCommands([
    reason === undefined && {
      name: `Delete ${grouped(count)} selected…`,
      about: 'Selection',
      run: onDelete,
    },
    { name: 'Stop selecting', about: 'Selection', run: done },
  ]);
  return (
    <div className={styles.actions}>
      <Button small look={reason ? 'quiet' : 'quiet-danger'} reason={reason} onClick={onDelete}>
        Delete…
      </Button>
      <Button
        small
        look="quiet"
        reason={count === 0 ? selectFirst : undefined}
        onClick={() => clearSelection(app)}
      >
        Clear selection
      </Button>
      <Button small onClick={done}>
        Done
      </Button>
    </div>
  );
}

/** Moves the focus from a check box or button that disappears to the row, or to the button that started selecting. */
function saveFocus(): void {
  const present = document.activeElement;
  if (!present?.matches(`table input, .${styles.bar} *`)) return;
  const row = present.closest('tr')?.querySelector('a');
  (row ?? document.getElementById('select'))?.focus();
}

function targetsOf(cache: QueryClient, selected: Selection, rows: readonly Subscriber[]): Target[] {
  const targets = selected.map(({ id, ...known }) => {
    const detail = cache.getQueryState(subscriberQuery(id).queryKey);
    const etag = detail?.isInvalidated ? null : (detail?.data?.etag ?? null);
    // Rows on the page have the latest names.
    const { username, email } = rows.find((row) => row.id === id) ?? known;
    return { id, username, email, etag };
  });
  return targets.toSorted((one, other) => one.username.localeCompare(other.username));
}

/** Sets its text after it is in the page, because screen readers do not announce a live region that comes with text. */
function SelectionSummary(props: { count: number; elsewhere: number; isKept: boolean }) {
  const sentence = summaryOf(props);
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (region.current) region.current.textContent = sentence;
  }, [sentence]);
  return <p ref={region} role="status" className={styles.summary} />;
}

function summaryOf({ count, elsewhere, isKept }: Parameters<typeof SelectionSummary>[0]): string {
  if (count === 0) return 'No subscribers selected.';
  const parts = [
    `${grouped(count)} selected${elsewhere > 0 ? `, ${grouped(elsewhere)} not on this page` : ''}.`,
    isKept && 'The filters changed; your selection is kept.',
    count > pageSizes.most && tooMany(count),
  ];
  return parts.filter(Boolean).join(' ');
}

/** Whether the filter has changed since the selection did. */
function useOtherFilter(query: ListQuery, selected: Selection): boolean {
  const { Page: _page, PageSize: _size, SortBy: _order, ...rest } = query;
  const filter = JSON.stringify(rest);
  const [seen, setSeen] = useState({ filter, selected });
  if (seen.selected !== selected) setSeen({ filter, selected });
  return selected.length > 0 && seen.filter !== filter;
}

const selectFirst = 'Select subscribers first.';
const tooMany = (count: number) =>
  `You can delete ${grouped(pageSizes.most)} at once: deselect ${grouped(count - pageSizes.most)}.`;

/** The first cell of a row: a check box that selects it. */
export function SelectCell({ subscriber }: { subscriber: Subscriber }) {
  const cache = useQueryClient();
  const checked = useSelection((selection) => isSelected(selection, subscriber.id));
  return (
    <td className={styles.select} onClick={(event) => event.stopPropagation()} onMouseDown={keepText}>
      <label>
        <input
          type="checkbox"
          value={subscriber.id}
          aria-label={`Select ${subscriber.username}`}
          checked={checked}
          onClick={(event) => {
            const latest = cache.getQueryData(selectionQuery.queryKey)?.at(-1);
            if (event.shiftKey && latest)
              for (const box of boxesFrom(latest.id, event.currentTarget)) box.click();
          }}
          onChange={(event) => setSelected(cache, [subscriber], event.target.checked)}
        />
      </label>
    </td>
  );
}

/** The heading of the column: a check box that selects all rows of the page. */
export function SelectAllCell({ subscribers = [] }: { subscribers: readonly Subscriber[] | undefined }) {
  const cache = useQueryClient();
  const count = useSelection((selection) => subscribers.filter(({ id }) => isSelected(selection, id)).length);
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
          onChange={() => setSelected(cache, subscribers, !isAll)}
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
