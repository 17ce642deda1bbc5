import type { ActivityPage } from '../../contract/bff/journal.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { Icon } from '../components/icon.tsx';
import { useActivityAddress } from './use-activity-address.ts';
import styles from './activity-pager.module.css';

/** Where in the journal one is, and the way to its other pages. */
export function ActivityPager({ shown }: { shown: ActivityPage }) {
  const { address, turnTo } = useActivityAddress();
  const page = address.page ?? 1;
  const pages = Math.max(1, shown.totalPages);
  const step = (to: number) => ({
    'aria-disabled': to < 1 || to > Math.max(pages, page - 1),
    onClick: () => to >= 1 && to <= Math.max(pages, page - 1) && turnTo(Math.min(to, pages)),
  });
  return (
    <div className={styles.pager}>
      <Button aria-label="Previous page" {...step(page - 1)}>
        <Icon name="previous" />
        <span>Previous</span>
      </Button>
      <p>
        Page {grouped(page)} of {grouped(pages)}
      </p>
      <Button aria-label="Next page" {...step(page + 1)}>
        <span>Next</span>
        <Icon name="next" />
      </Button>
    </div>
  );
}
