import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { pageSizes, type ListQuery } from '../../../contract/service/list-query.ts';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { useApp, useCommands } from '../../components/app-context.ts';
import { grouped } from '../../components/count.ts';
import { useShortcuts } from '../../components/shortcuts.ts';
import { useLate } from '../../components/use-lazy-module.ts';
import { clear, leave } from './selection-store.ts';
import type { Target } from './delete-run.ts';
import type { Selection } from './selection-query.ts';
import { useSelection } from './use-selection.ts';
import styles from './selection-bar.module.css';

const loadDialog = () => import('./delete-selected.tsx');

/** How many are selected and what can be done with them; stays in sight while the rows are scrolled. */
export function SelectionBar(props: {
  query: ListQuery;
  rows: readonly Subscriber[] | undefined;
  /** Whether a pane is open, which closes first. */
  beside: boolean;
}) {
  const { rows = [] } = props;
  const cache = useQueryClient();
  const chosen = useSelection((selection) => selection);
  const [asked, setAsked] = useState<readonly Target[] | null>(null);
  const late = useLate(loadDialog, chosen.length > 0, () => setAsked(null));
  const [ended, setEnded] = useState(0);
  const isKept = useOtherFilter(props.query, chosen);
  const elsewhere = chosen.filter(({ id }) => !rows.some((row) => row.id === id)).length;
  // After the dialog has given the focus back to its button, which has nothing to do any more.
  useEffect(() => {
    if (ended > 0) document.getElementById('list-heading')?.focus({ preventScroll: true });
  }, [ended]);
  return (
    <section className={styles.bar} aria-label="Selection" data-opening={(asked && !late) || undefined}>
      <Tally count={chosen.length} elsewhere={elsewhere} isKept={isKept} />
      <Actions
        count={chosen.length}
        bindsEscape={!props.beside}
        onDelete={() => setAsked(targetsOf(cache, chosen, rows))}
      />
      {asked && late && (
        <late.DeleteSelected
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
  const reason = count > pageSizes.most ? tooMany : count === 0 ? nobody : undefined;
  function done(): void {
    saveFocus();
    leave(app);
  }
  useShortcuts(bindsEscape ? { close: done } : {});
  useCommands([
    reason === undefined && {
      name: `Delete ${grouped(count)} selected…`,
      about: 'Selection',
      run: onDelete,
    },
    { name: 'End selecting', about: 'Selection', run: done },
  ]);
  return (
    <div className={styles.actions}>
      <Button small look={reason ? 'quiet' : 'quiet-danger'} reason={reason} onClick={onDelete}>
        Delete…
      </Button>
      <Button small look="quiet" reason={count === 0 ? nobody : undefined} onClick={() => clear(app)}>
        Clear selection
      </Button>
      <Button small onClick={done}>
        Done
      </Button>
    </div>
  );
}

/** From a box or a button that goes, to the row of the box or to what began it. */
function saveFocus(): void {
  const present = document.activeElement;
  if (!present?.matches(`table input, .${styles.bar} *`)) return;
  const row = present.closest('tr')?.querySelector('a');
  (row ?? document.getElementById('select'))?.focus();
}

function targetsOf(cache: QueryClient, chosen: Selection, rows: readonly Subscriber[]): Target[] {
  const targets = chosen.map(({ id, ...known }) => {
    const detail = cache.getQueryState(subscriberQuery(id).queryKey);
    const etag = detail?.isInvalidated ? null : (detail?.data?.etag ?? null);
    // Their names as they are now, where they are on the page.
    const { username, email } = rows.find((row) => row.id === id) ?? known;
    return { id, username, email, etag };
  });
  return targets.toSorted((one, other) => one.username.localeCompare(other.username));
}

/** Its words come after it stands there: a live region that comes with them is not heard. */
function Tally(props: { count: number; elsewhere: number; isKept: boolean }) {
  const sentence = tallyOf(props);
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (region.current) region.current.textContent = sentence;
  }, [sentence]);
  return <p ref={region} role="status" className={styles.tally} />;
}

function tallyOf({ count, elsewhere, isKept }: Parameters<typeof Tally>[0]): string {
  if (count === 0) return 'Nobody selected yet.';
  const parts = [
    `${grouped(count)} selected${elsewhere > 0 ? `, ${grouped(elsewhere)} of them not on this page` : ''}.`,
    isKept && 'The filter changed; the selection is kept.',
    count > pageSizes.most && tooMany,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Whether the filter is another one than when somebody was last selected. */
function useOtherFilter(query: ListQuery, chosen: Selection): boolean {
  const { Page: _page, PageSize: _size, SortBy: _order, ...rest } = query;
  const filter = JSON.stringify(rest);
  const [seen, setSeen] = useState({ filter, chosen });
  if (seen.chosen !== chosen) setSeen({ filter, chosen });
  return chosen.length > 0 && seen.filter !== filter;
}

const nobody = 'Nobody is selected.';
const tooMany = `At most ${grouped(pageSizes.most)} can be deleted at once.`;
