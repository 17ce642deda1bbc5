import { useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { choose, isChosen } from './selection-store.ts';
import { selectionQuery } from './selection-query.ts';
import { useSelection } from './use-selection.ts';
import styles from './marks.module.css';

/** The first cell of a row: whether it is selected. */
export function Mark({ subscriber }: { subscriber: Subscriber }) {
  const cache = useQueryClient();
  const checked = useSelection((selection) => isChosen(selection, subscriber.id));
  return (
    <td className={styles.mark} onClick={(event) => event.stopPropagation()} onMouseDown={keepText}>
      <label>
        <input
          type="checkbox"
          value={subscriber.id}
          aria-label={`Select ${subscriber.username}`}
          checked={checked}
          onClick={(event) => {
            const latest = cache.getQueryData(selectionQuery.queryKey)?.at(-1);
            if (event.shiftKey && latest)
              for (const mark of marksFrom(latest.id, event.currentTarget)) mark.click();
          }}
          onChange={(event) => choose(cache, [subscriber], event.target.checked)}
        />
      </label>
    </td>
  );
}

/** The heading above them: all rows of the page that is shown. */
export function MarkAll({ subscribers = [] }: { subscribers: readonly Subscriber[] | undefined }) {
  const cache = useQueryClient();
  const count = useSelection((selection) => subscribers.filter(({ id }) => isChosen(selection, id)).length);
  const isAll = count > 0 && count === subscribers.length;
  return (
    <th scope="col" className={styles.mark}>
      <label>
        <input
          type="checkbox"
          aria-label="Select all on this page"
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !isAll;
          }}
          checked={isAll}
          onChange={() => choose(cache, subscribers, !isAll)}
        />
      </label>
    </th>
  );
}

/** With Shift a click means a range, and marks no text. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

/** The marks from the one that was selected last up to this one which are not yet as this one becomes. */
function marksFrom(anchor: number, to: HTMLInputElement): HTMLInputElement[] {
  const all = [...(to.closest('tbody')?.querySelectorAll<HTMLInputElement>(`.${styles.mark} input`) ?? [])];
  const start = all.findIndex(({ value }) => Number(value) === anchor);
  const end = all.indexOf(to);
  if (start < 0) return [];
  return all
    .slice(Math.min(start, end), Math.max(start, end) + 1)
    .filter((mark) => mark !== to && mark.checked !== to.checked);
}
