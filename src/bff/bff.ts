import { apiBase, deskBase } from '../contract/bff/paths.ts';
import type { BffDeps } from './deps.ts';
import { createApiRoutes } from './api-routes.ts';
import { createDrafts } from './drafts/store.ts';
import { createHostGuard } from './middleware/host.ts';
import { checkNavigation, isNavigation } from './middleware/navigation.ts';
import { checkOwnPassword, checkPermission } from './middleware/permission.ts';
import { createSameOriginGuard } from './middleware/csrf.ts';
import { createSessions, type Sessions } from './middleware/session.ts';
import { createHealth } from './health.ts';
import { createNavigationRoutes } from './auth/navigation-routes.ts';
import { createChanges } from './journal/changes.ts';
import { createJournalParts } from './journal/change-request.ts';
import { createTending } from './journal/maintenance.ts';
import { createKnownStatuses } from './upstream/known-statuses.ts';
import { createOwnRoutes } from './routes.ts';
import { counted } from './metrics/counted.ts';
import { createMetricsDoor, metricsPath } from './metrics/endpoint.ts';
import { createDressing } from './middleware/security-headers.ts';
import { answerError } from './middleware/errors.ts';
import { createProxy } from './proxy.ts';
import { createRequestLines, type RequestLines } from './middleware/request-log.ts';
import { createRouter, wrongMethod } from './router.ts';
import { createKnownBrowsers } from './auth/known-browsers.ts';
import { createLocalSignIn } from './auth/local.ts';
import { createOpenIdSignIn, type OpenIdSignIn } from './auth/openid.ts';
import { createChangePassword } from './auth/own-password.ts';
import { createStaffAccounts } from './staff/accounts.ts';
import { createCaller } from './upstream/caller.ts';
import { createViews } from './views/views.ts';
import { startVisit, type Visit } from './request-context.ts';

export type { BffDeps, Passwords, SingleSignOn, Upstream, Visitor } from './deps.ts';

export interface Bff {
  /** @param from the peer, whose IP address the limits of sign-in count by */
  fetch: (request: Request, from?: { address: string }) => Promise<Response>;
  /** What has to be done from time to time, at the start and every minute or so; it never fails. */
  tend: () => Promise<void>;
}

/** The wall and the memory of the desk: between browsers and the service, with the secret that opens the service. */
export function createBff(deps: BffDeps): Bff {
  const { random, pages } = deps;
  const log = deps.metrics ? counted(deps.log, deps.metrics.figures) : deps.log;
  const lines = createRequestLines({ ...deps, log });
  const desk = assemble({ ...deps, log }, lines);
  return {
    tend: desk.tend,
    async fetch(request, from) {
      const visit = startVisit(request, random, from?.address);
      const kind = kindOf(desk, visit);
      const response = await lines.around(visit, () => {
        const answered = kind === 'data' ? answerData(desk, visit) : answerOpen(desk, visit, pages);
        return answered.catch((error: unknown) => answerError(error, visit, log));
      });
      return kind === 'page' ? desk.dress.page(response, visit) : desk.dress.data(response, visit);
    },
  };
}

/** `/api` and `/bff`: the guards in their order, then the route's own work. */
async function answerData(desk: DeskParts, visit: Visit): Promise<Response> {
  const { request, url, trace } = visit;
  desk.checkHost(visit);
  if (isNavigation(url.pathname)) checkNavigation(request, url.pathname);
  else desk.checkSameOrigin(request);
  const { route, values } = desk.findRoute(request.method, url.pathname);
  trace.route = route.path;
  trace.operation = route.operation;
  desk.sessions.checkCookie(request);
  if (route.door.open) return route.door.handle(visit);
  const who = await desk.sessions.require(request);
  trace.staffId = who.staffId;
  if (!route.door.withAnyPassword) checkOwnPassword(who);
  if (route.door.permission) checkPermission(who.role, route.door.permission);
  return route.door.handle(visit, who, values);
}

/** The dashboard's files, the health checks and the figures take no session and change nothing. */
async function answerOpen(desk: DeskParts, visit: Visit, pages: BffDeps['pages']): Promise<Response> {
  const { request, url, trace } = visit;
  desk.checkHost(visit);
  const check = desk.health.get(url.pathname);
  trace.route = check ? url.pathname : '*';
  if (!['GET', 'HEAD'].includes(request.method)) throw wrongMethod(['GET', 'HEAD']);
  return check ? check(request) : pages(request);
}

/** Decides which guards a request meets, by the same reading of its path that finds its route. */
function kindOf({ health }: DeskParts, { url }: Visit): 'data' | 'health' | 'page' {
  if (health.has(url.pathname)) return 'health';
  return dataPath.test(url.pathname) ? 'data' : 'page';
}

const dataPath = new RegExp(`^(${apiBase}|${deskBase})(/|$)`);

type DeskParts = ReturnType<typeof assemble>;

function assemble(deps: BffDeps, lines: RequestLines) {
  const { visitor, upstream, log, metrics } = deps;
  const sessions = createSessions(deps);
  const caller = createCaller({
    ...deps,
    onCall: (call) => {
      lines.upstreamCalled(call);
      metrics?.figures.upstreamCalled(call);
    },
  });
  const journal = createJournalParts({ ...deps, caller });
  const changes = createChanges(journal);
  const tendJournal = createTending(journal, deps.journalDays);
  const statuses = createKnownStatuses(deps);
  const proxy = createProxy({ ...deps, caller, changes, statuses });
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
    changes,
    log,
    proxy,
    statuses,
    views: createViews(deps),
    extensions: upstream.extensions,
  });
  return {
    checkHost: createHostGuard(visitor),
    checkSameOrigin: createSameOriginGuard(visitor),
    sessions,
    findRoute: createRouter([...own, ...createApiRoutes(proxy), ...createNavigationRoutes(openId)]),
    health: new Map([...createHealth({ ...deps, caller }), [metricsPath, createMetricsDoor(metrics)]]),
    tend: async () => {
      await sessions.tend();
      await tendJournal();
    },
    dress: createDressing(visitor.kind === 'browser' ? visitor : {}),
  };
}

/** Single sign-on, where there is a provider and a browser that can go there. */
function createOpenId({ singleSignOn, visitor, ...deps }: BffDeps, sessions: Sessions): OpenIdSignIn | null {
  if (!singleSignOn || visitor.kind === 'tab') return null;
  return createOpenIdSignIn({ ...deps, singleSignOn, sessions, publicUrl: visitor.publicUrl });
}
