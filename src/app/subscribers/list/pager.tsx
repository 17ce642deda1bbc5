import type { ReactNode, Ref } from 'react';
import { pageSizes, type SubscriberPage } from '../../../contract/service/list-query.ts';
import { Button } from '../../components/button.tsx';
import { grouped } from '../../components/count.ts';
import { Icon } from '../../components/icon.tsx';
import { pageSizeOf } from '../address.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './pager.module.css';

const choices = [pageSizes.usual, 50, 100, pageSizes.most];

/** The numbers are those of the rows on the screen; the buttons go on from the page that was asked for last. */
export function Pager({ ref, shown }: { ref: Ref<HTMLDivElement>; shown: SubscriberPage | undefined }) {
  const { address, resize, turnTo } = useListAddress();
  const page = address.page ?? 1;
  const size = pageSizeOf(address);
  const pages = Math.max(1, Math.ceil((shown?.totalCount ?? 0) / size));
  return (
    <div ref={ref} className={styles.pager}>
      <p className={styles.range}>{shown && rangeOf(shown)}</p>
      <label className={styles.size}>
        <span>Rows</span>
        <select
          aria-label="Rows per page"
          value={size}
          onChange={(event) => void resize(Number(event.target.value))}
        >
          {[...new Set([...choices, size])]
            .toSorted((a, b) => a - b)
            .map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
        </select>
      </label>
      <Step name="Previous page" to={page - 1} last={pages} onTurn={turnTo}>
        <Icon name="previous" />
        <span>Previous</span>
      </Step>
      <p className={styles.page}>
        {shown && `Page ${grouped(shown.page)} of ${grouped(Math.max(1, shown.totalPages))}`}
      </p>
      <Step name="Next page" to={page + 1} last={pages} onTurn={turnTo}>
        <span>Next</span>
        <Icon name="next" />
      </Step>
    </div>
  );
}

function rangeOf({ items, page, pageSize, totalCount }: SubscriberPage): string {
  if (items.length === 0) return '';
  const first = (page - 1) * pageSize + 1;
  return `${grouped(first)}–${grouped(first + items.length - 1)} of ${grouped(totalCount)}`;
}

/** At an end it stays focusable, so that the keyboard is not thrown to the top of the page. */
function Step(props: {
  name: string;
  to: number;
  last: number;
  onTurn: (page: number) => void;
  children: ReactNode;
}) {
  const possible = props.to >= 1 && props.to <= props.last;
  return (
    <Button
      aria-label={props.name}
      aria-disabled={!possible}
      onClick={possible ? () => props.onTurn(props.to) : undefined}
    >
      {props.children}
    </Button>
  );
}
