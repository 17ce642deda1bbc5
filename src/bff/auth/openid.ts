import { returnPath } from '../../contract/bff/paths.ts';
import { navigations, type SingleSignOnProblem } from '../../contract/bff/single-sign-on.ts';
import type { BffDeps, SingleSignOn } from '../deps.ts';
import type { Sessions } from '../middleware/session.ts';
import { placeOf } from '../middleware/errors.ts';
import type { RequestContext } from '../request-context.ts';
import { claimAt, nameIn, roleOf } from './claims.ts';
import { createProvider } from './provider.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';
import { keepSubject } from './subjects.ts';
import { createUnderWay } from './under-way.ts';

/** Sign-in by the OpenID provider. Both navigations answer with a redirect, whatever goes wrong. */
export interface OpenIdSignIn {
  start(context: RequestContext): Promise<Response>;
  finish(context: RequestContext): Promise<Response>;
  /** Where a browser goes to end its session at the provider too; null where there is no such page, or no answer. */
  signOutUrl(): Promise<string | null>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'log'> & {
  singleSignOn: SingleSignOn;
  sessions: Sessions;
  publicUrl: string;
};

export function createOpenIdSignIn(deps: Deps): OpenIdSignIn {
  const { log, sessions, singleSignOn, publicUrl } = deps;
  const provider = createProvider(deps);
  const underWay = createUnderWay(deps);
  const callback = publicUrl + navigations.finishSingleSignOn.path;

  return {
    start: (context) =>
      orBack(context, log, async () => {
        const { request, url, address } = context;
        const returnTo = returnPath(url.searchParams.get('to') ?? undefined, publicUrl);
        // The provider comes back to the public address; the cookie of another spelling would not be there.
        if (url.hostname !== new URL(publicUrl).hostname)
          return redirect(publicUrl + signInPath({ from: returnTo }));
        const formerSession = await sessions.keyOf(request);
        const { binding, cookie } = await underWay.begin(request, { returnTo, formerSession, address });
        const there = await provider.authorizationUrl(callback, binding);
        return redirect(there.href, cookie);
      }),

    finish: (context) =>
      orBack(context, log, async (goOn) => {
        const { request, url, requestId } = context;
        const { binding, journey } = await underWay.end(request, url.searchParams.get('state'));
        goOn.to = journey.returnTo;
        const claims = await provider.claimsOf(new URL(callback + url.search), binding);
        const role = roleOf(claimAt(claims, singleSignOn.roleClaim));
        if (role === null) throw new SingleSignOnFailure('no-role', 'no-role');
        const name = nameIn(claims) ?? 'Staff';
        const subject = { issuer: claims.iss, subject: claims.sub, name, role };
        const staff = await keepSubject(deps, subject);
        const session = await sessions.startFor(staff, journey.formerSession);
        if (session === null) throw new SingleSignOnFailure('disabled', 'disabled');
        log('info', 'signed-in', { requestId, staffId: staff.id, by: 'single-sign-on' });
        // The browser came from another site, so it goes on without the session's SameSite=Strict cookie. That is
        // enough for the page itself, which is the same for everybody; what the page then asks for carries it.
        return redirect(journey.returnTo, session);
      }),

    async signOutUrl() {
      try {
        return (await provider.signOutUrl(publicUrl + signInPath({})))?.href ?? null;
      } catch {
        // Signing out here is done; whether the provider answers must not spoil it.
        return null;
      }
    },
  };
}

/** A person is there to read it: whatever goes wrong leads to the sign-in page, which has a sentence for its code. */
async function orBack(
  { requestId, trace, url }: RequestContext,
  log: BffDeps['log'],
  work: (goOn: { to: string }) => Promise<Response>,
): Promise<Response> {
  const goOn = { to: returnPath(url.searchParams.get('to') ?? undefined, url.origin) };
  try {
    return await work(goOn);
  } catch (error) {
    const known = error instanceof SingleSignOnFailure;
    const problem = known ? error.code : 'failed';
    if (known) log('warn', 'single-sign-on-failed', { requestId, code: problem, reason: error.reason });
    else log('error', 'request-failed', { requestId, route: trace.route, ...placeOf(error) });
    return redirect(signInPath({ problem, from: goOn.to }));
  }
}

function signInPath(search: { problem?: SingleSignOnProblem; from?: string }): string {
  const { from, ...rest } = search;
  const given = new URLSearchParams(from === undefined || from === '/' ? rest : { ...rest, from }).toString();
  return `/sign-in${given && `?${given}`}`;
}

function redirect(location: string, cookie?: string): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: location, ...(cookie !== undefined && { 'Set-Cookie': cookie }) },
  });
}
