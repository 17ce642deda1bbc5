import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { grouped } from './format.ts';
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
export function Pager(props: {
  /** The page on the screen; undefined until the first is loaded. */
  shown: ShownPage | undefined;
  /** The number of the page that was requested last. */
  page: number;
  onTurn: (page: number) => void;
  /** Called when the pointer or the focus comes to the button of a page. */
  onReach?: (page: number) => void;
  size?: { value: number; choices: readonly number[]; onChange: (size: number) => void };
}) {
  const { shown, page, onTurn, onReach, size } = props;
  const last = Math.max(1, shown?.totalPages ?? 1);
  return (
    <div className={`row aside ${styles.pager}`}>
      <p className={styles.range}>{shown && rangeOf(shown)}</p>
      {size && (
        <label className={`row ${styles.size}`}>
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
      <TurnButton name="Previous page" to={page > 1 && Math.min(page - 1, last)} {...{ onTurn, onReach }}>
        <Icon name="previous" />
        <span>Previous</span>
      </TurnButton>
      <p className={styles.page}>{shown && `Page ${grouped(shown.page)} of ${grouped(last)}`}</p>
      <TurnButton name="Next page" to={page < last && page + 1} {...{ onTurn, onReach }}>
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
function TurnButton(props: {
  name: string;
  /** False if there is no such page. */
  to: number | false;
  onTurn: (page: number) => void;
  onReach: ((page: number) => void) | undefined;
  children: ReactNode;
}) {
  const { name, to, onTurn, onReach, children } = props;
  const reach = () => to !== false && onReach?.(to);
  return (
    <Button
      aria-label={name}
      aria-disabled={to === false}
      onPointerEnter={reach}
      onFocus={reach}
      onClick={to === false ? undefined : () => onTurn(to)}
    >
      {children}
    </Button>
  );
}
