import { returnPath } from '../../../contract/bff/paths.ts';
import { navigations, type SingleSignOnProblem } from '../../../contract/bff/single-sign-on.ts';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import { networkOf } from '../../../lib/client-network.ts';
import type { RecordEvent } from '../../journal/events.ts';
import type { Sessions } from '../sessions.ts';
import { errorFields } from '../../../lib/log.ts';
import { Answer } from '../../../contract/http/answer.ts';
import type { RequestContext } from '../../http/context.ts';
import { claimAt, findOrCreateAccount, nameIn, roleOf, withdrawRole } from './provider-account.ts';
import {
  createBackChannelLogout,
  providerSessionKey,
  wasSignedOut,
  type BackChannelLogout,
  createLogoutTokenCheck,
} from './back-channel-logout.ts';
import { endSession } from '../session-store.ts';
import { createPendingSignIns, pendingSignInLimits } from './pending-sign-ins.ts';
import type { Provider } from './provider.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';
import type { SignInRecord } from '../sign-in-record.ts';

/** Sign-in at the OpenID provider. Both navigations answer with a redirect, even if something goes wrong. */
export interface OpenIdSignIn {
  start(context: RequestContext): Promise<Answer<undefined>>;
  finish(context: RequestContext): Promise<Answer<undefined>>;
  /** Takes a logout token of the provider. */
  endSession: BackChannelLogout;
  /** The page that ends the browser's session at the provider; null if there is none or the provider fails. */
  signOutUrl(): Promise<string | null>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'log'> & {
  singleSignOn: SingleSignOn;
  provider: Provider;
  sessions: Sessions;
  signIns: SignInRecord;
  recordEvent: RecordEvent;
  publicUrl: string;
};

export function createOpenIdSignIn(deps: Deps): OpenIdSignIn {
  const { db, log, sessions, signIns, singleSignOn, provider, publicUrl } = deps;
  const pending = createPendingSignIns(deps);
  const endSessionOf = createBackChannelLogout(
    deps,
    createLogoutTokenCheck(deps, () => provider.keys()),
  );
  const callback = publicUrl + navigations.finishSingleSignOn.path;

  return {
    start: (context) =>
      redirectOnFailure(context, log, async () => {
        const { headers, url, address } = context;
        const path = returnPath(url.searchParams.get('to') ?? undefined, publicUrl);
        const returnTo = path.length > pendingSignInLimits.returnTo ? '/' : path;
        // The provider sends the browser back to the public address; a cookie set for another one would be missing.
        if (url.hostname !== new URL(publicUrl).hostname)
          return redirect(publicUrl + signInPath({ from: returnTo }));
        const previousSession = await sessions.keyOf(headers);
        const begun = { returnTo, previousSession, address: networkOf(address) };
        const { binding, cookie } = await pending.begin(headers, begun);
        const providerPage = await provider.authorizationUrl(callback, binding, {
          again: url.searchParams.has('again'),
        });
        return redirect(providerPage.href, cookie);
      }),

    finish: (context) =>
      redirectOnFailure(context, log, async (target) => {
        const { headers, url, requestId } = context;
        const { binding, begun, forget } = await pending.end(headers, url.searchParams.get('state'));
        target.path = begun.returnTo;
        const { claims, refreshToken } = await provider.claimsOf(new URL(callback + url.search), binding);
        const subject = { issuer: claims.iss, subject: claims.sub };
        const role = roleOf(claimAt(claims, singleSignOn.roleClaim));
        if (role === null) {
          await signIns.failed(await withdrawRole(deps, subject, requestId), requestId);
          throw new SingleSignOnFailure('no-role', 'no-role');
        }
        const name = nameIn(claims) ?? 'Staff';
        const staff = await findOrCreateAccount(deps, { ...subject, name, role }, requestId);
        const sid = typeof claims['sid'] === 'string' ? claims['sid'] : null;
        const providerSession = sid === null ? null : await providerSessionKey(claims.iss, sid);
        const authTime = claims['auth_time'];
        const signedInAt = typeof authTime === 'number' ? authTime * 1000 : null;
        const session = await sessions.start(staff, {
          headers,
          previous: begun.previousSession,
          provided: { providerSession, refreshToken, signedInAt },
          finish: async (tx) => {
            await forget(tx);
            await signIns.succeeded(tx, staff, { requestId, way: 'single-sign-on', secondFactor: null });
          },
        });
        if (session === null) {
          await signIns.failed(staff, requestId);
          throw new SingleSignOnFailure('disabled', 'disabled');
        }
        if (await wasSignedOut(db, { ...subject, sid, issuedAt: claims.iat * 1000 })) {
          await endSession(db, session.key);
          throw new SingleSignOnFailure('expired', 'signed-out-meanwhile');
        }
        log('info', 'signed-in', { requestId, staffId: staff.id, by: 'single-sign-on' });
        // The browser comes from another site, so it sends no SameSite=Strict cookie with this redirect. The page
        // itself needs none: it is the same for everyone, and the page's own requests send the cookie.
        return redirect(begun.returnTo, session.cookie);
      }),

    endSession: endSessionOf,

    async signOutUrl() {
      try {
        return (await provider.signOutUrl(publicUrl + signInPath({})))?.href ?? null;
      } catch {
        // The user is signed out here already, whether or not the provider answers.
        return null;
      }
    },
  };
}

/** A person reads the answer: any failure leads to the sign-in page, which has a sentence for its code. */
async function redirectOnFailure(
  { requestId, logFields, url }: RequestContext,
  log: BffDeps['log'],
  work: (target: { path: string }) => Promise<Answer<undefined>>,
): Promise<Answer<undefined>> {
  const target = { path: returnPath(url.searchParams.get('to') ?? undefined, url.origin) };
  try {
    return await work(target);
  } catch (error) {
    const known = error instanceof SingleSignOnFailure;
    const problem = known ? error.code : 'failed';
    if (known) log('warn', 'single-sign-on-failed', { requestId, code: problem, reason: error.reason });
    else log('error', 'request-failed', { requestId, route: logFields.route, ...errorFields(error) });
    return redirect(signInPath({ problem, from: target.path }));
  }
}

function signInPath(search: { problem?: SingleSignOnProblem; from?: string }): string {
  const { from, ...rest } = search;
  const given = new URLSearchParams(from === undefined || from === '/' ? rest : { ...rest, from }).toString();
  return `/sign-in${given && `?${given}`}`;
}

function redirect(location: string, cookie?: string): Answer<undefined> {
  const cookies = cookie === undefined ? [] : [cookie];
  return new Answer(undefined, { status: 303, headers: { Location: location }, cookies });
}
