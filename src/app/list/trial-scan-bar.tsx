import { useQuery, type QueryFunctionContext } from '@tanstack/react-query';
import type { Scan, ScanFilter } from '../../contract/bff/scan.ts';
import { needsExtension } from '../../contract/service/list-rules.ts';
import { scanQuery } from './use-list-rows.ts';
import { clientOf } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useLeavesFocus } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/format.ts';
import { RelativeTime } from '../components/exact-time.tsx';
import { useListAddress } from './use-list-address.ts';

/** The progress and the result of reading all subscribers, for a service that has no filter for trials. */
export function TrialScanBar({ filter }: { filter: ScanFilter }) {
  const { data: scan } = useQuery(scanQuery(filter));
  const leavesFocus = useLeavesFocus();
  const starting = useAction('startScan', { done: 'the check was started', failures: 'toast' });
  const { sort } = useListAddress().address;
  const { IsTrial, ...others } = filter;
  const isTrials = IsTrial === true && !needsExtension(others);
  if (!scan) return null;
  if (scan.state === 'running') return <RunningScan scan={scan} filter={filter} isTrials={isTrials} />;
  return (
    <div className="row inset">
      <p role="status">
        {summaryOf(scan, isTrials)}
        {scan.isOutdated && ' Subscribers have changed since.'}
      </p>
      <p className="aside">
        Checked <RelativeTime at={scan.at} />
      </p>
      <Button
        ref={leavesFocus}
        small
        busy={starting.isBusy}
        onClick={() => void starting.run({ query: filter })}
      >
        Check again
      </Button>
      {/* The order may differ from the service's own. */}
      {sort?.startsWith('username') && (
        <p className="aside">
          Sorted ignoring case. Accents and symbols may be in another order than in the full list.
        </p>
      )}
    </div>
  );
}

function RunningScan(props: {
  scan: Scan;
  filter: ScanFilter;
  /** True if it looks for trials and for nothing else. */
  isTrials: boolean;
}) {
  const { scan, filter, isTrials } = props;
  const stopping = useAction('stopScan', { done: 'the check was stopped', failures: 'toast' });
  const known = scan.total > 0;
  return (
    <div className="row inset">
      <p>
        The subscriber service can’t filter {isTrials ? 'by trial' : 'like this'}, so we’re checking every
        subscriber.
      </p>
      <progress
        aria-label={isTrials ? 'Checking for trials' : 'Checking every subscriber'}
        {...(known && { value: scan.scanned, max: scan.total })}
      />
      <p>
        {known &&
          `${grouped(scan.scanned)} of ${grouped(scan.total)} checked, ${isTrials ? counted(scan.found, 'trial') : `${grouped(scan.found)} found`}`}
      </p>
      <Button
        ref={useLeavesFocus()}
        small
        busy={stopping.isBusy}
        onClick={() => void stopping.run({ query: filter })}
      >
        Cancel
      </Button>
    </div>
  );
}

function summaryOf({ state, found, scanned, total }: Scan, isTrials: boolean): string {
  const verbs = isTrials ? ['is a trial', 'are trials'] : ['matches', 'match'];
  const verb = verbs[found === 1 ? 0 : 1];
  if (state === 'full')
    return `Showing ${grouped(found)}${isTrials ? ' trials' : ''}, but there are more. Add another filter to find them.`;
  if (state === 'stopped')
    return `Stopped after ${grouped(scanned)} of ${counted(total, 'subscriber')}: ${grouped(found)} ${verb}.`;
  return `${grouped(found)} of ${counted(scanned, 'subscriber')} ${verb}.`;
}

/** Reads how far a scan is. Once it is done, the list is read again. */
export async function readScan(
  filter: ScanFilter,
  { client, signal }: Pick<QueryFunctionContext, 'client' | 'signal'>,
): Promise<Scan> {
  const before = client.getQueryData<Scan>(['getScan', filter]);
  const { data } = await clientOf(client).getScan({ query: filter }, { signal });
  const isOther = JSON.stringify(before) !== JSON.stringify(data);
  if (isOther && data.state !== 'running')
    void client.invalidateQueries({ queryKey: ['listSubscribers', filter], exact: false });
  return data;
}
