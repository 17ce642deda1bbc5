import { useQuery } from '@tanstack/react-query';
import type { ListQuery } from '../../../contract/service/list-query.ts';
import type { ScanProgress } from '../../api/trial-scan.ts';
import { scanProgressQuery, trialScanQuery } from '../../api/trial-scan-query.ts';
import { Button } from '../../components/button.tsx';
import { counted, grouped } from '../../components/count.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './trial-scan-bar.module.css';

/** The progress and the result of a scan for trials, for a service that has no filter for them. */
export function TrialScanBar({ filter }: { filter: ListQuery }) {
  const scan = useQuery(trialScanQuery(filter));
  const progress = useQuery(scanProgressQuery(filter)).data;
  if (scan.isFetching) return <RunningScan progress={progress} />;
  if (!scan.data) return null;
  return (
    <div className={styles.bar}>
      <p role="status">
        {summaryOf(scan.data.progress)}
        {progress?.outdated && ' Subscribers have changed since.'}
      </p>
      <Button small onClick={() => void scan.refetch()}>
        Check again
      </Button>
      <SortNote />
    </div>
  );
}

function RunningScan({ progress }: { progress: ScanProgress | null | undefined }) {
  const known = progress && progress.total > 0;
  return (
    <div className={styles.bar}>
      <p>The subscriber service can’t filter by trial, so we’re checking every subscriber.</p>
      <progress
        aria-label="Checking for trials"
        {...(known && { value: progress.scanned, max: progress.total })}
      />
      <p className={styles.figures}>
        {known &&
          `${grouped(progress.scanned)} of ${grouped(progress.total)} checked, ${counted(progress.found, 'trial')}`}
      </p>
      <Button small onClick={() => progress?.stop()}>
        Cancel
      </Button>
    </div>
  );
}

function summaryOf({ state, found, scanned, total }: ScanProgress): string {
  const verb = found === 1 ? 'is a trial' : 'are trials';
  if (state === 'full')
    return `Showing ${grouped(found)} trials, but there are more. Add another filter to find them.`;
  if (state === 'stopped')
    return `Stopped after ${grouped(scanned)} of ${counted(total, 'subscriber')}: ${grouped(found)} ${verb}.`;
  return `${grouped(found)} of ${counted(scanned, 'subscriber')} ${verb}.`;
}

/** Says how the order may differ from the service's own. */
function SortNote() {
  const { sort } = useListAddress().address;
  if (!sort?.startsWith('username')) return null;
  return (
    <p className={styles.note}>
      Sorted in your browser, ignoring case. Accents and symbols may be in another order than in the full
      list.
    </p>
  );
}
