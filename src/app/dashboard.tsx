import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider, type RouterHistory } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createApi, stopRetries } from './api/api.ts';
import { signOutChannel } from './api/queries.ts';
import { createQueryClient } from './api/query-client.ts';
import { AppContext, createCommands, type App } from './components/app-context.ts';
import { createClock } from './components/clock.ts';
import { createToasts } from './components/toasts.ts';
import { takePreloaded, type PreloadedAnswers } from './preload.ts';
import { createAppRouter } from './router.tsx';

export interface Dashboard {
  app: App;
  router: ReturnType<typeof createAppRouter>;
}

/**
 * Makes the router and what the parts of the page share. If an answer says that the user is not signed in, it opens the
 * sign-in page, which returns to the requested address.
 *
 * @param options.history where the address lives; the browser's own by default
 * @param options.productName what it calls itself
 * @param options.preloaded answers to requests that were sent before
 * @param options.pressPause in ms, as in `App`; longer than between the clicks of a double click
 */
export function createDashboard(
  options: {
    history?: RouterHistory;
    productName?: string;
    preloaded?: PreloadedAnswers;
    pressPause?: number;
  } = {},
): Dashboard {
  const { history, productName = 'Subscriber Desk', preloaded = new Map(), pressPause = 600 } = options;
  const api = createApi((request) => takePreloaded(preloaded, request) ?? fetch(request));
  const queryClient = createQueryClient(api, () => {
    stopRetries(api.unfinished);
    void openSignIn(router);
  });
  const app: App = {
    queryClient,
    toasts: createToasts(),
    commands: createCommands(),
    clock: createClock(),
    headingRef: { current: null },
    productName,
    pressPause,
  };
  const router = createAppRouter(queryClient, history);
  return { app, router };
}

/** Goes to the page for signing in, which leads back. */
async function openSignIn(router: Dashboard['router']): Promise<void> {
  // The history knows the next address at once, the router only when its page is loaded.
  const { pathname, href } = router.history.location;
  if (pathname !== '/sign-in') await router.navigate({ to: '/sign-in', search: { from: href } });
}

/** The whole dashboard on the page. */
export function DashboardRoot({ dashboard: { app, router } }: { dashboard: Dashboard }) {
  useEffect(() => {
    document.addEventListener('keydown', dropRepeats);
    const signOuts = new BroadcastChannel(signOutChannel);
    signOuts.addEventListener('message', () => void openSignIn(router).then(() => app.queryClient.clear()));
    return () => {
      document.removeEventListener('keydown', dropRepeats);
      signOuts.close();
    };
  }, [app, router]);
  return (
    <AppContext value={app}>
      <QueryClientProvider client={app.queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </AppContext>
  );
}

/** A held Enter would submit a form, or press a button that changes something, many times a second. */
function dropRepeats(event: KeyboardEvent): void {
  const { target, key, repeat } = event;
  if (repeat && key === 'Enter' && target instanceof Element && target.matches('form input, [data-once]'))
    event.preventDefault();
}

/**
 * Resolves when the first view has its data, or when `patience` is over. Preloaded answers have often arrived by now,
 * and rendering once is faster than twice.
 *
 * @param patience in ms
 */
export async function whenLoaded({ app, router }: Dashboard, patience = 100): Promise<void> {
  await router.load();
  await whenIdle(app.queryClient, patience);
}

/** Resolves when nothing is being fetched, or when `patience` (ms) is over. */
function whenIdle(client: QueryClient, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, patience);
    const unsubscribe = client.getQueryCache().subscribe(check);
    check();
    function check(): void {
      if (client.isFetching() === 0) done();
    }
    function done(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
  });
}
