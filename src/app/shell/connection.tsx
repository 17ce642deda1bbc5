import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useActiveQueries } from '../api/api.ts';
import { failingServer, isOutage } from '../api/errors.ts';
import { awaitedOf } from '../api/query-client.ts';
import { Button } from '../components/button.tsx';
import { RequestId } from '../components/failure.tsx';
import { clockTime } from '../components/format.ts';
import styles from './connection.module.css';

/** Says since when nothing can be loaded, and how old the data on the screen is. */
export function Connection() {
  const cache = useQueryClient();
  const offlineSince = useOfflineSince();
  const failing = useFailing();
  const asOf = useActiveQueries((active) =>
    Math.min(...awaitedOf(active).map(({ state }) => state.dataUpdatedAt || Infinity)),
  );
  return (
    <div role="status">
      {(failing ?? offlineSince) !== null && (
        <div className={`row ${styles.banner}`}>
          <p>
            <strong>
              {offlineSince === null
                ? `${whatFails(failing?.error)} since ${clockTime(failing?.since ?? 0)}.`
                : `You’ve been offline since ${clockTime(offlineSince)}.`}
            </strong>{' '}
            {asOf < Infinity && `Showing data from ${clockTime(asOf)}.`}
          </p>
          {failing && offlineSince === null && <RequestId error={failing.error} />}
          <Button small onClick={() => void cache.refetchQueries({ type: 'active' })}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

function whatFails(error: unknown): string {
  return isOutage(error) && error.status > 0
    ? `${failingServer(error)} has been failing`
    : 'Subscriber Desk hasn’t answered';
}

/** Since when queries on the screen have been failing, and their current error; null if none fails. */
function useFailing(): { since: number; error: unknown } | null {
  const failed = useActiveQueries(
    (active) =>
      active.find(
        ({ state }) => state.status === 'error' && state.data !== undefined && isOutage(state.error),
      )?.state ?? null,
  );
  const [since, setSince] = useState<number | null>(null);
  if (failed && since === null) setSince(failed.errorUpdatedAt);
  if (!failed && since !== null) setSince(null);
  return failed && { since: since ?? failed.errorUpdatedAt, error: failed.error };
}

/** Since when the browser has had no network; null while it has one. */
function useOfflineSince(): number | null {
  const [since, setSince] = useState(() => (navigator.onLine ? null : Date.now()));
  useEffect(() => {
    const leave = () => setSince(Date.now());
    const comeBack = () => setSince(null);
    window.addEventListener('offline', leave);
    window.addEventListener('online', comeBack);
    return () => {
      window.removeEventListener('offline', leave);
      window.removeEventListener('online', comeBack);
    };
  }, []);
  return since;
}
