import { useQuery } from '@tanstack/react-query';
import type { ListQuery } from '../../../contract/service/list-query.ts';
import type { ScanProgress } from '../../api/trial-scan.ts';
import { scanProgressQuery, trialScanQuery } from '../../api/trial-scan-query.ts';
import { Button } from '../../components/button.tsx';
import { grouped } from '../../components/count.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './trial-scan-bar.module.css';

/** The progress and the result of a scan for trials, if the service has no filter for them. */
export function TrialScanBar({ filter }: { filter: ListQuery }) {
  const scan = useQuery(trialScanQuery(filter));
  const progress = useQuery(scanProgressQuery(filter)).data;
  if (scan.isFetching) return <RunningScan progress={progress} />;
  if (!scan.data) return null;
  const { state, found, scanned } = scan.data.progress;
  const lookAgain = () => void scan.refetch();
  return (
    <div className={styles.bar}>
      <p role="status">
        {state === 'complete' ? 'Complete' : 'Partial'}: {grouped(found)} of {grouped(scanned)} looked at
        {state === 'complete' ? ' are trials.' : ` are trials${restOf(scan.data.progress)}`}
        {progress?.outdated && ' Something was changed since.'}
      </p>
      <Button small onClick={lookAgain}>
        Look again
      </Button>
      <SortNote />
    </div>
  );
}

function RunningScan({ progress }: { progress: ScanProgress | null | undefined }) {
  const known = progress && progress.total > 0;
  return (
    <div className={styles.bar}>
      <p>The service has no filter for trials, so every subscriber is looked at.</p>
      <progress
        aria-label="Looking for trials"
        {...(known && { value: progress.scanned, max: progress.total })}
      />
      <p className={styles.figures}>
        {known &&
          `${grouped(progress.scanned)} of ${grouped(progress.total)}, ${grouped(progress.found)} found`}
      </p>
      <Button small onClick={() => progress?.stop()}>
        Cancel
      </Button>
    </div>
  );
}

function restOf({ state, total }: ScanProgress): string {
  if (state === 'full') return ', more than are kept here. Narrow the list by another filter.';
  return `; there are ${grouped(total)} in all.`;
}

/** Says how the sort order may differ from the service's own. */
function SortNote() {
  const { sort } = useListAddress().address;
  if (!sort?.startsWith('username')) return null;
  return (
    <p className={styles.note}>
      Sorted here, letter by letter without regard to case. The service’s own order of accents and signs may
      differ.
    </p>
  );
}
