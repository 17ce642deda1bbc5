import { useQuery } from '@tanstack/react-query';
import type { ListQuery } from '../../../contract/service/list-query.ts';
import { trialWalkQuery } from '../../api/trial-scan-query.ts';
import { walkTallyQuery, type WalkTally } from '../../api/scan-progress.ts';
import { Button } from '../../components/button.tsx';
import { grouped } from '../../components/count.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './trial-scan-bar.module.css';

/** How the search for trials is getting on where the service has no filter for them, and what came of it. */
export function TrialWalkBar({ filter }: { filter: ListQuery }) {
  const walk = useQuery(trialWalkQuery(filter));
  const tally = useQuery(walkTallyQuery(filter)).data;
  if (walk.isFetching) return <UnderWay tally={tally} />;
  if (!walk.data) return null;
  const { state, found, looked } = walk.data.tally;
  const lookAgain = () => void walk.refetch();
  return (
    <div className={styles.bar}>
      <p role="status">
        {state === 'complete' ? 'Complete' : 'Partial'}: {grouped(found)} of {grouped(looked)} looked at
        {state === 'complete' ? ' are trials.' : ` are trials${restOf(walk.data.tally)}`}
        {tally?.outdated && ' Something was changed since.'}
      </p>
      <Button small onClick={lookAgain}>
        Look again
      </Button>
      <OrderNote />
    </div>
  );
}

function UnderWay({ tally }: { tally: WalkTally | null | undefined }) {
  const known = tally && tally.total > 0;
  return (
    <div className={styles.bar}>
      <p>The service has no filter for trials, so every subscriber is looked at.</p>
      <progress aria-label="Looking for trials" {...(known && { value: tally.looked, max: tally.total })} />
      <p className={styles.figures}>
        {known && `${grouped(tally.looked)} of ${grouped(tally.total)}, ${grouped(tally.found)} found`}
      </p>
      <Button small onClick={() => tally?.stop()}>
        Cancel
      </Button>
    </div>
  );
}

function restOf({ state, total }: WalkTally): string {
  if (state === 'full') return ', more than are kept here. Narrow the list by another filter.';
  return `; there are ${grouped(total)} in all.`;
}

/** What is exact about the order, and what may differ from the service's own. */
function OrderNote() {
  const { sort } = useListAddress().address;
  if (!sort?.startsWith('username')) return null;
  return (
    <p className={styles.note}>
      Sorted here, letter by letter without regard to case. The service’s own order of accents and signs may
      differ.
    </p>
  );
}
