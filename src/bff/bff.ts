import { apiBase, bffBase } from '../contract/bff/paths.ts';
import type { BffDeps } from './deps.ts';
import { createApiRoutes } from './api-routes.ts';
import { createDrafts } from './drafts/store.ts';
import { createHostGuard } from './middleware/host.ts';
import { checkNavigation, isNavigation } from './middleware/navigation.ts';
import { checkOwnPassword, checkPermission } from './middleware/permission.ts';
import { createSameOriginGuard } from './middleware/csrf.ts';
import { createSessions, type Sessions } from './middleware/session.ts';
import { createHealth } from './health.ts';
import { createNavigationRoutes } from './auth/routes.ts';
import { createJournal } from './journal/journal.ts';
import { createKnownStatuses } from './upstream/known-statuses.ts';
import { createOwnRoutes } from './routes.ts';
import { countLogEvents, createMetricsHandler, metricsPath } from './metrics.ts';
import { createSecurityHeaders } from './middleware/security-headers.ts';
import { answerError } from './middleware/errors.ts';
import { createProxy } from './proxy.ts';
import { createRequestLines, type RequestLines } from './middleware/request-log.ts';
import { createRouter, wrongMethod } from './router.ts';
import { createKnownBrowsers } from './auth/known-browsers.ts';
import { createLocalSignIn } from './auth/local-sign-in.ts';
import { createOpenIdSignIn, type OpenIdSignIn } from './auth/openid-sign-in.ts';
import { createChangePassword } from './auth/own-password.ts';
import { createStaffAccounts } from './staff/accounts.ts';
import { createCaller } from './upstream/caller.ts';
import { createViews } from './views/views.ts';
import { startContext, type RequestContext } from './request-context.ts';

export type { BffDeps, Passwords, SingleSignOn, Upstream, Transport } from './deps.ts';

export interface Bff {
  /** @param from the peer, whose IP address the limits of sign-in count by */
  fetch: (request: Request, from?: { address: string }) => Promise<Response>;
  /** What has to be done from time to time, at the start and every minute or so; it never fails. */
  runMaintenance: () => Promise<void>;
}

/** The wall and the memory of the desk: between browsers and the service, with the secret that opens the service. */
export function createBff(deps: BffDeps): Bff {
  const { random, pages } = deps;
  const log = deps.metrics ? countLogEvents(deps.log, deps.metrics.figures) : deps.log;
  const lines = createRequestLines({ ...deps, log });
  const desk = assemble({ ...deps, log }, lines);
  return {
    runMaintenance: desk.runMaintenance,
    async fetch(request, from) {
      const context = startContext(request, random, from?.address);
      const kind = kindOf(desk, context);
      const response = await lines.around(context, () => {
        const answered = kind === 'data' ? answerData(desk, context) : answerOpen(desk, context, pages);
        return answered.catch((error: unknown) => answerError(error, context, log));
      });
      return kind === 'page' ? desk.dress.page(response, context) : desk.dress.data(response, context);
    },
  };
}

/** `/api` and `/bff`: the guards in their order, then the route's own work. */
async function answerData(desk: DeskParts, context: RequestContext): Promise<Response> {
  const { request, url, trace } = context;
  desk.checkHost(context);
  if (isNavigation(url.pathname)) checkNavigation(request, url.pathname);
  else desk.checkSameOrigin(request);
  const { route, values } = desk.findRoute(request.method, url.pathname);
  trace.route = route.path;
  trace.operation = route.operation;
  desk.sessions.checkCookie(request);
  if (route.door.open) return route.door.handle(context);
  const user = await desk.sessions.require(request);
  trace.staffId = user.staffId;
  if (!route.door.withAnyPassword) checkOwnPassword(user);
  if (route.door.permission) checkPermission(user.role, route.door.permission);
  return route.door.handle(context, user, values);
}

/** The dashboard's files, the health checks and the figures take no session and change nothing. */
async function answerOpen(
  desk: DeskParts,
  context: RequestContext,
  pages: BffDeps['pages'],
): Promise<Response> {
  const { request, url, trace } = context;
  desk.checkHost(context);
  const check = desk.health.get(url.pathname);
  trace.route = check ? url.pathname : '*';
  if (!['GET', 'HEAD'].includes(request.method)) throw wrongMethod(['GET', 'HEAD']);
  return check ? check(request) : pages(request);
}

/** Decides which guards a request meets, by the same reading of its path that finds its route. */
function kindOf({ health }: DeskParts, { url }: RequestContext): 'data' | 'health' | 'page' {
  if (health.has(url.pathname)) return 'health';
  return dataPath.test(url.pathname) ? 'data' : 'page';
}

const dataPath = new RegExp(`^(${apiBase}|${bffBase})(/|$)`);

type DeskParts = ReturnType<typeof assemble>;

function assemble(deps: BffDeps, lines: RequestLines) {
  const { transport, upstream, log, metrics } = deps;
  const sessions = createSessions(deps);
  const caller = createCaller({
    ...deps,
    onCall: (call) => {
      lines.upstreamCalled(call);
      metrics?.figures.upstreamCalled(call);
    },
  });
  const journal = createJournal({ ...deps, caller });
  const statuses = createKnownStatuses(deps);
  const proxy = createProxy({ ...deps, caller, journal, statuses });
  const browsers = createKnownBrowsers(deps);
  const signIn = createLocalSignIn({ ...deps, browsers });
  const openId = createOpenId(deps, sessions);
  const own = createOwnRoutes({
    sessions,
    signIn,
    openId,
    changePassword: createChangePassword({ ...deps, sessions, browsers }),
    browsers,
    accounts: createStaffAccounts(deps),
    drafts: createDrafts(deps),
    db: deps.db,
    journal,
    log,
    proxy,
    statuses,
    views: createViews(deps),
    extensions: upstream.extensions,
  });
  return {
    checkHost: createHostGuard(transport),
    checkSameOrigin: createSameOriginGuard(transport),
    sessions,
    findRoute: createRouter([...own, ...createApiRoutes(proxy), ...createNavigationRoutes(openId)]),
    health: new Map([...createHealth({ ...deps, caller }), [metricsPath, createMetricsHandler(metrics)]]),
    runMaintenance: async () => {
      await sessions.runMaintenance();
      await journal.runMaintenance();
    },
    dress: createSecurityHeaders(transport.kind === 'http' ? transport : {}),
  };
}

/** Single sign-on, where there is a provider and a browser that can go there. */
function createOpenId(
  { singleSignOn, transport, ...deps }: BffDeps,
  sessions: Sessions,
): OpenIdSignIn | null {
  if (!singleSignOn || transport.kind === 'tab') return null;
  return createOpenIdSignIn({ ...deps, singleSignOn, sessions, publicUrl: transport.publicUrl });
}
