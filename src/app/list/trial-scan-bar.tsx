import { useQuery } from '@tanstack/react-query';
import type { ListQuery } from '../../contract/service/list-query.ts';
import type { ScanProgress } from '../api/trial-scan.ts';
import { scanProgressQuery, trialScanQuery } from '../api/trial-scan-query.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/count.ts';
import { useListAddress } from './use-list-address.ts';
import styles from './trial-scan-bar.module.css';

/** The progress and the result of a scan for trials, for a service that has no filter for them. */
export function TrialScanBar({ filter }: { filter: ListQuery }) {
  const scan = useQuery(trialScanQuery(filter));
  const progress = useQuery(scanProgressQuery(filter)).data;
  const { IsTrial, ExpiresFrom, ExpiresTo } = filter;
  const isTrials = IsTrial === true && ExpiresFrom === undefined && ExpiresTo === undefined;
  if (scan.isFetching) return <RunningScan progress={progress} isTrials={isTrials} />;
  if (!scan.data) return null;
  return (
    <div className={styles.bar}>
      <p role="status">
        {summaryOf(scan.data.progress, isTrials)}
        {progress?.outdated && ' Subscribers have changed since.'}
      </p>
      <Button small onClick={() => void scan.refetch()}>
        Check again
      </Button>
      <SortNote />
    </div>
  );
}

interface ScanState {
  progress: ScanProgress | null | undefined;
  /** Whether it looks for trials and for nothing else. */
  isTrials: boolean;
}

function RunningScan({ progress, isTrials }: ScanState) {
  const known = progress && progress.total > 0;
  return (
    <div className={styles.bar}>
      <p>
        The subscriber service can’t filter {isTrials ? 'by trial' : 'like this'}, so we’re checking every
        subscriber.
      </p>
      <progress
        aria-label={isTrials ? 'Checking for trials' : 'Checking every subscriber'}
        {...(known && { value: progress.scanned, max: progress.total })}
      />
      <p className={styles.figures}>
        {known &&
          `${grouped(progress.scanned)} of ${grouped(progress.total)} checked, ${isTrials ? counted(progress.found, 'trial') : `${grouped(progress.found)} found`}`}
      </p>
      <Button small onClick={() => progress?.stop()}>
        Cancel
      </Button>
    </div>
  );
}

function summaryOf({ state, found, scanned, total }: ScanProgress, isTrials: boolean): string {
  const verbs = isTrials ? ['is a trial', 'are trials'] : ['matches', 'match'];
  const verb = verbs[found === 1 ? 0 : 1];
  if (state === 'full')
    return `Showing ${grouped(found)}${isTrials ? ' trials' : ''}, but there are more. Add another filter to find them.`;
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
