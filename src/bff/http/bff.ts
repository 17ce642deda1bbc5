import { apiBase, bffBase } from '../../contract/bff/paths.ts';
import {
  answerError,
  problemAnswer,
  toResponse,
  withHeaders,
  type Answer,
} from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import { createRouter, wrongMethod } from '../../contract/http/router.ts';
import { createAttempts } from '../auth/attempts.ts';
import { createKnownBrowsers } from '../auth/known-browsers.ts';
import { createOpenIdSignIn } from '../auth/openid/navigations.ts';
import { createProvider } from '../auth/openid/provider.ts';
import { createRevalidation } from '../auth/openid/revalidation.ts';
import { createChangePassword } from '../auth/account/change-password.ts';
import { createRecordChange } from '../auth/record-change.ts';
import { createPasskeys } from '../auth/passkeys.ts';
import { createSecondFactorPolicy, createSecondFactors } from '../auth/second-factor.ts';
import { createSignIn } from '../auth/sign-in.ts';
import { createSignInRecord } from '../auth/sign-in-record.ts';
import type { BffDeps } from '../deps.ts';
import { createDrafts } from '../drafts/drafts.ts';
import { createAnswerFile } from '../export/stream.ts';
import { createMonitoringRoutes } from '../health.ts';
import { createMac } from '../journal/chain.ts';
import { createRecordEvent } from '../journal/events.ts';
import { createAnswerChange } from '../journal/routes.ts';
import { createJournal } from '../journal/journal.ts';
import { createJobWorker } from '../jobs/worker.ts';
import { countLogEvents } from '../metrics.ts';
import { createBudgets } from './budgets.ts';
import {
  checkBackChannel,
  checkClock,
  checkNavigation,
  createHostGuard,
  createSameOriginGuard,
  isBackChannel,
  isNavigation,
  checkAccess,
  needsSecondFactor,
  secondFactorNeeded,
} from './guards.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { createSessions } from '../auth/sessions.ts';
import { createRoutes } from './routes.ts';
import { startContext, type HttpContext, type Peer } from './context.ts';
import { createStaffAccounts } from '../staff/store.ts';
import { createCaller } from '../upstream/caller.ts';
import { pause } from '../upstream/exchange.ts';
import { GivenUp } from '../upstream/failures.ts';
import { createKnownStatuses } from '../upstream/known-statuses.ts';
import { createMessages } from '../messages/messages.ts';
import { createViews } from '../views/views.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import type { CurrentUser } from '../current-user.ts';

export type { BffDeps, Passwords, SingleSignOn, Transport, Upstream } from '../deps.ts';

export interface Bff {
  /** @param from the peer, whose IP address the limits of sign-in count by */
  fetch: (request: Request, from?: Peer) => Promise<Response>;
  /** To be called at the start and every minute or so; it never fails. */
  runMaintenance: () => Promise<void>;
  /** Lets jobs go on elsewhere, and logs the journal's head. To be called before the databases are closed; it never fails. */
  stop: () => Promise<void>;
}

/**
 * The backend for the frontend: between browsers and the service. It knows who may do what, and the secret that opens
 * the service.
 */
export function createBff(deps: BffDeps): Bff {
  const log = deps.metrics ? countLogEvents(deps.log, deps.metrics.figures) : deps.log;
  const requestLog = createRequestLog({ ...deps, log });
  const bff = assemble({ ...deps, log }, requestLog);
  return {
    runMaintenance: bff.runMaintenance,
    stop: bff.stop,
    async fetch(request, from) {
      const context = startContext(request, deps.random, from);
      const kind = bff.kindOf(context.url.pathname);
      const answered = await requestLog.around(context, () =>
        answer(bff, kind, context).catch((error: unknown) => {
          const { requestId, logFields } = context;
          // Staff who type on or leave a screen end their requests, which is no failure.
          if (error instanceof GivenUp) {
            logFields.clientGone = true;
            return problemAnswer(error, requestId);
          }
          logFields.code = error instanceof Problem ? error.code : 'internal-error';
          return answerError(error, request.method, log, { requestId, route: logFields.route });
        }),
      );
      const headers = { ...bff.securityHeaders[kind], 'X-Request-Id': context.requestId };
      return answered instanceof Response ? withHeaders(answered, headers) : toResponse(answered, headers);
    },
  };
}

type Parts = ReturnType<typeof assemble>;
type Kind = 'data' | 'monitoring' | 'page';

/** The guards in their order, then the route. Whom it is open to is decided by its row of the table alone. */
async function answer(bff: Parts, kind: Kind, context: HttpContext): Promise<Answer | Response> {
  const { request, headers, url, logFields } = context;
  bff.checkHost(context);
  if (kind === 'page') return answerPage(bff, context);
  if (kind === 'data') {
    checkClock(bff);
    if (isBackChannel(url.pathname)) checkBackChannel(request);
    else if (isNavigation(url.pathname)) checkNavigation(request, url.pathname);
    else bff.checkSameOrigin(request);
  }
  const { path, route, values, allowedMethods } = bff.findRoute(request.method, url.pathname);
  logFields.route = path;
  if (!route) throw wrongMethod(allowedMethods);
  logFields.operation = route.operation;
  if (kind === 'data') bff.sessions.checkCookie(headers);
  if (route.row.access === 'public') return route.handle(context, null, values);
  const user = await bff.sessions.require(headers);
  logFields.staffId = user.staffId;
  const check = async (current: CurrentUser) => {
    checkAccess(route.row, current);
    if (needsSecondFactor(route.row) && (await bff.lacksFactor(current))) throw secondFactorNeeded();
    return current;
  };
  await check(user);
  context.recheckAccess = async () => check(await bff.sessions.require(headers, false));
  return bff.budgets.run(route, context, user, () => route.handle(context, user, values));
}

/** Answers with the dashboard's files, which are the same for everyone and need no session. */
async function answerPage({ pages }: Parts, { request, logFields }: HttpContext): Promise<Response> {
  logFields.route = '*';
  if (!['GET', 'HEAD'].includes(request.method)) throw wrongMethod(['GET', 'HEAD']);
  return pages(request);
}

const dataPath = new RegExp(`^(${apiBase}|${bffBase})(/|$)`);

function assemble(deps: BffDeps, requestLog: RequestLog) {
  const { transport, upstream, log, metrics, pages } = deps;
  const mac = createMac(deps.journalKey, deps.externalKey, deps.createHmac);
  const recordEvent = createRecordEvent({ ...deps, mac });
  const attempts = createAttempts(deps);
  const signIns = createSignInRecord({ ...deps, recordEvent, attempts });
  const provided = openProvider(deps);
  const revalidation = provided && createRevalidation({ ...deps, ...provided, recordEvent });
  const budgets = createBudgets(deps);
  const sessions = createSessions({ ...deps, spend: budgets.spend }, revalidation);
  const caller = createCaller({
    ...deps,
    onCall: (call) => {
      requestLog.upstreamCalled(call);
      metrics?.figures.upstreamCalled(call);
    },
  });
  const journal = createJournal({ ...deps, caller, mac });
  const worker = createJobWorker({ ...deps, caller, journal, mac });
  const statuses = createKnownStatuses(deps);
  const browsers = createKnownBrowsers(deps);
  const passkeys = createPasskeys(deps);
  const secondFactors = createSecondFactors({ ...deps, passkeys, attempts });
  const lacksFactor = createSecondFactorPolicy(deps);
  const recordChange = createRecordChange({ ...deps, recordEvent });
  const account = { ...deps, sessions, browsers, attempts, signIns, lacksFactor, recordChange };
  const securityHeaders = createSecurityHeaders(transport.kind === 'http' ? transport : {});
  const monitoring = createMonitoringRoutes({ ...deps, caller });
  const monitoringPaths = new Set(monitoring.map(({ path }) => path));
  const routes = createRoutes({
    sessions,
    signIn: createSignIn({ ...deps, attempts, browsers, sessions, signIns, secondFactors, passkeys }),
    openId: provided && createOpenIdSignIn({ ...deps, ...provided, sessions, signIns, recordEvent }),
    changePassword: createChangePassword(account),
    lacksFactor,
    browsers,
    passkeys,
    secondFactors,
    secondFactorKey: deps.secondFactorKey,
    recordChange,
    accounts: createStaffAccounts({ ...deps, recordEvent }),
    drafts: createDrafts(deps),
    db: deps.db,
    runSlowRead: deps.runSlowRead,
    answerChange: createAnswerChange({ ...deps, mac, journal, recordEvent }),
    recordEvent,
    answerFile: createAnswerFile({ log, clock: deps.clock }),
    log,
    caller,
    statuses,
    mac,
    views: createViews(deps),
    messages: createMessages(deps),
    extensions: upstream.extensions,
    statusHelp: deps.statusHelp,
    trialDays: deps.trialDays,
    playlistUrlTemplate: deps.playlistUrlTemplate,
    worker,
    clock: deps.clock,
    random: deps.random,
    upstream,
    wait: deps.wait ?? pause,
  });
  return {
    checkHost: createHostGuard(transport),
    isClockWrong: deps.isClockWrong,
    checkSameOrigin: createSameOriginGuard(transport),
    lacksFactor,
    sessions,
    /** Which guards a request meets, by the same reading of its path that finds its route. */
    kindOf: (path: string): Kind =>
      monitoringPaths.has(path) ? 'monitoring' : dataPath.test(path) ? 'data' : 'page',
    budgets,
    findRoute: createRouter([...routes, ...monitoring]),
    pages,
    runMaintenance: async () => {
      // By such a clock it would delete too much.
      if (deps.isClockWrong?.()) return;
      await sessions.runMaintenance();
      await signIns.runMaintenance();
      await journal.runMaintenance();
      await worker.runMaintenance();
    },
    stop: async () => {
      await worker.stop();
      await journal.logHead();
    },
    securityHeaders: { ...securityHeaders, monitoring: securityHeaders.data },
  };
}

/** Single sign-on; null without a provider, and in a tab, which cannot navigate to one. */
function openProvider({ singleSignOn, transport, clock }: BffDeps) {
  if (!singleSignOn || transport.kind === 'tab') return null;
  return {
    singleSignOn,
    provider: createProvider({ clock, singleSignOn }),
    publicUrl: transport.publicUrl,
  };
}
