import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { grouped } from './count.ts';
import { Icon } from './icon.tsx';
import styles from './pager.module.css';

interface ShownPage {
  items: readonly unknown[];
  page: number;
  pageSize: number;
  totalCount: number;
  totalPages: number;
}

/** The numbers describe the rows on the screen; the buttons count from the page that was requested last. */
export function Pager({
  shown,
  page,
  onTurn,
  size,
}: {
  /** The page on the screen; undefined until the first is loaded. */
  shown: ShownPage | undefined;
  /** The number of the page that was requested last. */
  page: number;
  onTurn: (page: number) => void;
  size?: { value: number; choices: readonly number[]; onChange: (size: number) => void };
}) {
  const last = Math.max(1, shown?.totalPages ?? 1);
  return (
    <div className={`row aside ${styles.pager}`}>
      <p className={styles.range}>{shown && rangeOf(shown)}</p>
      {size && (
        <label className={styles.size}>
          <span>Rows</span>
          <select
            aria-label="Rows per page"
            value={size.value}
            onChange={(event) => size.onChange(Number(event.target.value))}
          >
            {[...new Set([...size.choices, size.value])]
              .toSorted((a, b) => a - b)
              .map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
          </select>
        </label>
      )}
      <TurnButton name="Previous page" onTurn={page > 1 && (() => onTurn(Math.min(page - 1, last)))}>
        <Icon name="previous" />
        <span>Previous</span>
      </TurnButton>
      <p className={styles.page}>{shown && `Page ${grouped(shown.page)} of ${grouped(last)}`}</p>
      <TurnButton name="Next page" onTurn={page < last && (() => onTurn(page + 1))}>
        <span>Next</span>
        <Icon name="next" />
      </TurnButton>
    </div>
  );
}

function rangeOf({ items, page, pageSize, totalCount }: ShownPage): string {
  if (items.length === 0) return '';
  const first = (page - 1) * pageSize + 1;
  return `${grouped(first)}–${grouped(first + items.length - 1)} of ${grouped(totalCount)}`;
}

/** On the first or last page it stays focusable, so that keyboard users keep their place. */
function TurnButton(props: { name: string; onTurn: false | (() => void); children: ReactNode }) {
  return (
    <Button
      aria-label={props.name}
      aria-disabled={props.onTurn === false}
      onClick={props.onTurn === false ? undefined : props.onTurn}
    >
      {props.children}
    </Button>
  );
}
