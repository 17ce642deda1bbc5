import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, type RouterHistory } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiOf, createApi, discardWork, stopRetries } from './api/api.ts';
import { sessionQuery, userChannel } from './api/queries.ts';
import { createQueryClient } from './api/query-client.ts';
import { AppContext, createCommands, type App, createClock, createToasts } from './components/app-context.ts';
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
  const clock = createClock();
  const api = createApi(async (request) => {
    const requestedAt = Date.now();
    const response = await (takePreloaded(preloaded, request) ?? fetch(request));
    clock.follow(response.headers.get('date'), requestedAt);
    return response;
  });
  const queryClient = createQueryClient(api, () => {
    stopRetries(api.unfinished);
    void openSignIn(router);
  });
  const app: App = {
    queryClient,
    toasts: createToasts(),
    commands: createCommands(),
    clock,
    headingRef: { current: null },
    searchRef: { current: null },
    productName,
    pressPause,
  };
  const router = createAppRouter(queryClient, history);
  return { app, router };
}

/** Goes to the page for signing in, which leads back. */
async function openSignIn(router: Dashboard['router'], ignoreBlocker = false): Promise<void> {
  // The history knows the next address at once, the router only when its page is loaded.
  const { pathname, href } = router.history.location;
  if (pathname !== '/sign-in')
    await router.navigate({ to: '/sign-in', search: { from: href }, ignoreBlocker });
}

/**
 * Leaves the page without asking when somebody signs out in another tab, or another user signs in there: from then on the
 * page would show one user, and act for the other.
 */
export function followOtherTabs({ app: { queryClient, toasts }, router }: Dashboard): void {
  const leave = async ({ data }: MessageEvent) => {
    const user = queryClient.getQueryData(sessionQuery.queryKey)?.staff.id;
    if (user === undefined || user === data) return;
    discardWork(apiOf(queryClient).unfinished);
    await openSignIn(router, true);
    queryClient.clear();
    toasts.clear();
  };
  new BroadcastChannel(userChannel).addEventListener('message', (event) => void leave(event));
}

/** The whole dashboard on the page. */
export function DashboardRoot({ dashboard: { app, router } }: { dashboard: Dashboard }) {
  useEffect(() => {
    document.addEventListener('keydown', dropRepeats);
    return () => document.removeEventListener('keydown', dropRepeats);
  }, []);
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

/** In ms. */
const patience = 100;

/**
 * Resolves when the first view has its data, or when `patience` is over. Preloaded answers have often arrived by now,
 * and rendering once is faster than twice.
 */
export async function whenLoaded({ app: { queryClient }, router }: Dashboard): Promise<void> {
  await router.load();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, patience);
    const unsubscribe = queryClient.getQueryCache().subscribe(check);
    check();
    function check(): void {
      if (queryClient.isFetching() === 0) done();
    }
    function done(): void {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
  });
}
