import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, type RouterHistory } from '@tanstack/react-router';
import { createQueryClient } from './api/query-client.ts';
import { tellLeaving } from './api/session-events.ts';
import { whenIdle } from './api/when-idle.ts';
import { AppContext, type App } from './components/app-context.ts';
import { createClock } from './components/clock.ts';
import { createCommands } from './components/commands.ts';
import { createToasts } from './components/toasts.ts';
import { createDeskRouter } from './router.tsx';

export interface Dashboard {
  app: App;
  router: ReturnType<typeof createDeskRouter>;
}

/**
 * Makes the router and all that the parts of the page share. Where an answer says that nobody is signed in, the sign-in
 * page follows, and then the address that was asked for.
 *
 * @param history where the address lives; the browser's own by default
 */
export function createDashboard(history?: RouterHistory): Dashboard {
  const queryClient = createQueryClient(() => {
    tellLeaving('session-over');
    // The history knows the next address at once; the router only when it has arrived.
    const { pathname, href } = router.history.location;
    if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { from: href } });
  });
  const app = { queryClient, toasts: createToasts(), commands: createCommands(), clock: createClock() };
  const router = createDeskRouter(queryClient, history);
  return { app, router };
}

/** The whole dashboard on the page. */
export function DashboardRoot({ dashboard: { app, router } }: { dashboard: Dashboard }) {
  return (
    <AppContext value={app}>
      <QueryClientProvider client={app.queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </AppContext>
  );
}

/**
 * Resolves when the first screen has its data, or soon after without it. What was requested before this code arrived
 * is often answered by now, and one rendering is done sooner than two.
 *
 * @param patience in ms
 */
export async function whenLoaded({ app, router }: Dashboard, patience = 100): Promise<void> {
  await router.load();
  await whenIdle(app.queryClient, patience);
}
