import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import { ApiError } from '../contract/http/client.ts';
import type { ActivityAddress } from './activity/address.ts';
import { apiOf } from './api/api.ts';
import {
  readSignInWays,
  sessionQuery,
  statusesQuery,
  subscriberPageQuery,
  subscriberQuery,
} from './api/queries.ts';
import { listReaders, needsExtension, needsScan, readInteger } from '../contract/service/list-rules.ts';
import { Layout } from './shell/layout.tsx';
import { NotFound, PageFailure, lazyPage } from './shell/lazy-page.tsx';
import { defineAddress } from './components/address.ts';
import { loadFile } from './components/use-lazy-module.ts';
import { ToastList } from './components/toast.tsx';
import { readAddress, searchStrings, toListQuery } from './subscriber/list-address.ts';
import { ListPage } from './list/list-page.tsx';

const root = createRootRouteWithContext<{ cache: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <ToastList />
    </>
  ),
  notFoundComponent: () => (
    <Layout>
      <NotFound />
    </Layout>
  ),
});

/** `from` is the address to return to afterwards, `problem` why single sign-on failed. */
const signInAddress = defineAddress({ from: String, problem: String });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInAddress.read,
  // The password works without the other ways, which appear when they are known.
  loader: async ({ context }) => {
    const ways = readSignInWays(apiOf(context.cache).bff);
    const soon = new Promise<undefined>((resolve) => setTimeout(resolve, 3000));
    return { ways, known: await Promise.race([ways, soon]) };
  },
  component: lazyPage(() => import('./auth/sign-in-page.tsx'), 'SignInPage'),
});

/** All pages but sign-in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Layout,
  loader: ({ context }) => void context.cache.prefetchQuery(sessionQuery),
});

/** A page whose address has no more than its path. */
const pageAt = <Path extends string, Name extends string>(
  path: Path,
  ...file: Parameters<typeof lazyPage<Name>>
) => createRoute({ getParentRoute: () => app, path, component: lazyPage(...file) });

/** Single sign-on in a new tab ends here. */
const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  component: lazyPage(() => import('./auth/sign-in-page.tsx'), 'SignedInPage'),
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  /** Managers begin with the overview, everybody else with the list. */
  beforeLoad: async ({ context }) => {
    const session = await context.cache.ensureQueryData(sessionQuery).catch((error: unknown) => {
      // Without an address to return to, so that this is decided after signing in.
      if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/sign-in' });
    });
    throw redirect({ to: session?.can.includes('seeAllActivity') ? '/overview' : '/subscribers' });
  },
});

/** All pages about subscribers keep the list's state in the address, so that Back restores it. */
const subscribers = createRoute({
  getParentRoute: () => app,
  path: '/subscribers',
  validateSearch: readAddress,
});

const list = createRoute({
  getParentRoute: () => subscribers,
  id: 'list',
  component: ListPage,
  loaderDeps: ({ search }) => readAddress(search),
  // Fetched as soon as the address is known; the page does not wait for it.
  loader: ({ context, deps }) => {
    const known = context.cache.getQueryData(sessionQuery.queryKey)?.extensions;
    const query = toListQuery(deps);
    // A service without a filter would refuse it.
    if (known ? !needsScan(query, known) : !needsExtension(query))
      void context.cache.prefetchQuery(subscriberPageQuery(query));
    void context.cache.prefetchQuery(statusesQuery);
  },
});

const noPane = createRoute({ getParentRoute: () => list, path: '/' });

/** The id in an address. Anything that cannot be an id is not found. */
const params = {
  parse: ({ id }: { id: string }) => {
    const read = readInteger(1)(id);
    if (read === undefined) throw notFound();
    return { id: read };
  },
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
};

const pane = createRoute({
  getParentRoute: () => list,
  path: '$id',
  params,
  loader: ({ context, params }) => void context.cache.prefetchQuery(subscriberQuery(params.id)),
  component: lazyPage(() => import('./record/pane.tsx'), 'Pane'),
});

const create = createRoute({
  getParentRoute: () => subscribers,
  path: 'new',
  component: lazyPage(() => import('./form/form-pages.tsx'), 'CreatePage'),
});

const edit = createRoute({
  getParentRoute: () => subscribers,
  path: '$id/edit',
  params,
  loader: ({ context, params }) => void context.cache.prefetchQuery(subscriberQuery(params.id)),
  component: lazyPage(() => import('./form/form-pages.tsx'), 'EditPage'),
});

const overview = pageAt('/overview', () => import('./overview/overview-page.tsx'), 'OverviewPage');

const staff = pageAt('/staff', () => import('./staff/staff-page.tsx'), 'StaffPage');

const activity = createRoute({
  getParentRoute: () => app,
  path: '/activity',
  validateSearch: (search: Record<string, unknown>): ActivityAddress => search,
  // Loaded with the page, because its rules would slow down the first view.
  beforeLoad: async ({ search }) => {
    const { correctActivityAddress } = await loadFile(() => import('./activity/address.ts'));
    const corrected = correctActivityAddress({ ...search });
    if (corrected) throw redirect({ to: '/activity', search: corrected, replace: true });
  },
  component: lazyPage(() => import('./activity/activity-page.tsx'), 'ActivityPage'),
});

const messages = pageAt('/messages', () => import('./messages/messages-page.tsx'), 'MessagesPage');

const bundles = pageAt('/bundles', () => import('./bundles/bundles-page.tsx'), 'BundlesPage');

/** `result` filters the subscribers of a job; its page reads it. */
const jobAddress = defineAddress({
  result: String,
  warning: String,
  page: listReaders.Page,
});

const jobs = createRoute({
  getParentRoute: () => app,
  path: '/jobs',
  validateSearch: (search: Record<string, unknown>) => jobAddress.read({ page: search['page'] }),
  component: lazyPage(() => import('./bulk/jobs-page.tsx'), 'JobsPage'),
});

const importing = pageAt('/jobs/import', () => import('./bulk/import-page.tsx'), 'ImportPage');

const job = createRoute({
  getParentRoute: () => app,
  path: '/jobs/$id',
  validateSearch: jobAddress.read,
  component: lazyPage(() => import('./bulk/job-page.tsx'), 'JobPage'),
});

const password = createRoute({
  getParentRoute: () => app,
  path: '/password',
  validateSearch: (search: Record<string, unknown>) => signInAddress.read({ from: search['from'] }),
  component: lazyPage(() => import('./auth/password-page.tsx'), 'PasswordPage'),
});

const account = pageAt('/account', () => import('./account/account-page.tsx'), 'AccountPage');

const routeTree = root.addChildren([
  signIn,
  signedIn,
  app.addChildren([
    home,
    overview,
    staff,
    activity,
    messages,
    bundles,
    jobs,
    importing,
    job,
    password,
    account,
    subscribers.addChildren([list.addChildren([noPane, pane]), create, edit]),
  ]),
]);

/** @param history the browser's own unless a test passes another */
export function createAppRouter(cache: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { cache },
    ...searchStrings,
    // Parameters that no page knows are removed from the address when it is opened.
    search: { strict: true },
    ...(history && { history }),
    // The page of another subscriber or job starts from nothing: no text typed, no error, no record of the one before.
    defaultRemountDeps: ({ params }) => params,
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
