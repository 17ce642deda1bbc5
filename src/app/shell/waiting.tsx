import { useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useActiveQueries } from '../api/api.ts';
import { awaitedOf } from '../api/query-client.ts';
import { Button } from '../components/button.tsx';
import styles from './waiting.module.css';

/** After which time to show that something is loading, and to say that it takes too long; in ms. */
const slow = 400;
const stuck = 10_000;

/** Shows that something is loading: first a thin bar, later a sentence and a button to try again. */
export function Waiting() {
  const cache = useQueryClient();
  const read = useActiveQueries((active) =>
    awaitedOf(active).find(({ state }) => state.data === undefined && state.fetchStatus === 'fetching'),
  );
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' });
  const [tries, setTries] = useState(0);
  const waited = useWaited(read ? `${read.queryHash} ${tries}` : isNavigating ? 'page' : '');
  const what = read?.meta?.awaited ?? 'the page';
  // A failed read is tried again by itself; screen readers need not announce it each time.
  const isRepeated = read !== undefined && read.state.errorUpdateCount > 0;

  async function tryAgain(): Promise<void> {
    const filter = { queryKey: read?.queryKey ?? [], exact: true };
    setTries(tries + 1);
    await cache.cancelQueries(filter);
    await cache.refetchQueries(filter);
  }

  return (
    <>
      {waited >= slow && <div className={styles.bar} />}
      <div role="status" className={waited >= stuck ? `row card ${styles.stuck}` : 'visually-hidden'}>
        {waited >= stuck && <p>Still waiting for {what}.</p>}
        {waited >= stuck && read && <Button onClick={() => void tryAgain()}>Try again</Button>}
        {waited >= slow && waited < stuck && !isRepeated && `Loading ${what}…`}
      </div>
    </>
  );
}

/** Time that the same thing has been loading: 0, `slow` or `stuck`; in ms. */
function useWaited(what: string): number {
  const [waited, setWaited] = useState({ what, time: 0 });
  useEffect(() => {
    if (what === '') return;
    const timers = [slow, stuck].map((time) => setTimeout(() => setWaited({ what, time }), time));
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setWaited({ what: '', time: 0 });
    };
  }, [what]);
  return waited.what === what ? waited.time : 0;
}
