import type { RouterHistory } from '@tanstack/react-router';
import { tellLeaving } from './api/session-events.ts';
import { createQueryClient } from './api/query-client.ts';
import { whenIdle } from './api/when-idle.ts';
import { createDeskRouter } from './router.tsx';

/**
 * The dashboard's cache and its addresses, tied together: where an answer says that nobody is signed in, sign-in
 * follows, and then the address that was asked for.
 */
export function createDashboard(history?: RouterHistory) {
  const cache = createQueryClient(() => {
    tellLeaving('session-over');
    // The history knows where one is going to as soon as one goes; the router only when one is there.
    const { pathname, href } = router.history.location;
    if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { from: href } });
  });
  const router = createDeskRouter(cache, history);
  return { cache, router };
}

/**
 * Resolves when the first screen has what it shows, or soon after without it. What was asked before this code was here
 * is often answered by now, and one rendering is done sooner than two.
 *
 * @param patience in ms
 */
export async function whenLoaded(
  { cache, router }: ReturnType<typeof createDashboard>,
  patience = 100,
): Promise<void> {
  await router.load();
  await whenIdle(cache, patience);
}
