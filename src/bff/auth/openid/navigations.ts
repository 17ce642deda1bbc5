import { returnPath } from '../../../contract/bff/paths.ts';
import { navigations, type SingleSignOnProblem } from '../../../contract/bff/single-sign-on.ts';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import { sha256, toBase64url } from '../../../lib/crypto.ts';
import { networkOf } from '../../../lib/client-network.ts';
import { createQueues } from '../../../lib/queue.ts';
import type { BffDb } from '../../schema.ts';
import type { RecordEvent } from '../../journal/events.ts';
import type { Sessions } from '../sessions.ts';
import { describeError } from '../../../lib/log.ts';
import { Answer } from '../../../contract/http/answer.ts';
import type { RequestContext, RequestHeaders } from '../../http/context.ts';
import { createOpenIdCookie } from '../cookies.ts';
import { claimAt, findOrCreateAccount, nameIn, roleOf, withdrawRole } from './provider-account.ts';
import {
  createBackChannelLogout,
  providerSessionKey,
  wasSignedOut,
  type BackChannelLogout,
} from './back-channel-logout.ts';
import { createLogoutTokenCheck } from './logout-token.ts';
import { endSession } from '../session-store.ts';
import { SingleSignOnFailure, type Binding, type Provider } from './provider.ts';
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
    else log('error', 'request-failed', { requestId, route: logFields.route, ...describeError(error) });
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

/**
 * Time that a user may take at the provider, in ms, most sign-ins that may be pending or have failed from one address in that
 * time, and most characters of the path to return to.
 */
export const pendingSignInLimits = { life: 10 * 60_000, address: 200, returnTo: 2048 } as const;

/** The clocks of replicas differ a little; what began later than that began under a clock that was ahead. */
const latest = (now: number) => now + 60_000;

interface PendingSignIn {
  returnTo: string;
  previousSession: string | null;
  address: string;
}

/** Sign-ins that were begun at the OpenID provider, in the database: the browser may come back to another replica. */
interface PendingSignIns {
  /** @returns what to send to the provider, and the `Set-Cookie` that binds it to the browser */
  begin(headers: RequestHeaders, begun: PendingSignIn): Promise<{ binding: Binding; cookie: string }>;
  /**
   * Ends the sign-in that this browser began with this state; that works once. It counts for its address until `forget` is
   * called in the transaction that signs in: who begins and fails again and again would else write without end, and ask the
   * provider each time.
   *
   * @throws {SingleSignOnFailure} `expired` if there is none, it was ended before, or it took too long
   */
  end(headers: RequestHeaders, state: string | null): Promise<EndedSignIn>;
}

interface EndedSignIn {
  binding: Binding;
  begun: PendingSignIn;
  forget: (tx: BffDb) => Promise<void>;
}

function createPendingSignIns(
  deps: Pick<BffDeps, 'db' | 'clock' | 'random'> & { publicUrl: string },
): PendingSignIns {
  const { db, clock, random } = deps;
  const cookie = createOpenIdCookie(deps.publicUrl, pendingSignInLimits.life / 1000);
  /** @throws {SingleSignOnFailure} `too-many` if more are pending from an address */
  const checkPending = async (address: string, now: number) => {
    const count = db.fn.countAll<number>().as('count');
    const rows = db.selectFrom('single_sign_ons').select(count).where('address', '=', address);
    const pending = rows.where('at', '>', now - pendingSignInLimits.life).where('at', '<=', latest(now));
    if ((await pending.executeTakeFirstOrThrow()).count >= pendingSignInLimits.address) throw tooMany();
  };
  // One at a time from an address: of many that come at once, each would see a count without the others, and write.
  const queues = createQueues({
    atOnce: 1,
    mostWaiting: pendingSignInLimits.address,
    patience: 10_000,
    refusal: tooMany,
  });
  return {
    async begin(headers, { returnTo, previousSession, address }) {
      const now = clock();
      // Before anything waits or is written: a flood from one address must not hold up everybody.
      await checkPending(address, now);
      return queues.run(address, async () => {
        await checkPending(address, now);
        await db
          .deleteFrom('single_sign_ons')
          .where((row) =>
            row.or([row('at', '<=', now - pendingSignInLimits.life), row('at', '>', latest(now))]),
          )
          .execute();
        // One secret for all tabs, so that two of them can sign in at the same time.
        const secret = cookie.read(headers) ?? toBase64url(random(32));
        const binding = await bind(secret, toBase64url(random(32)));
        const key = await keyOf(secret, binding.state);
        const row = { key, return_to: returnTo, previous_session: previousSession, address, at: now };
        await db.insertInto('single_sign_ons').values(row).execute();
        return { binding, cookie: cookie.set(secret) };
      });
    },
    async end(headers, state) {
      const secret = cookie.read(headers);
      if (secret === null || state === null) throw expired('no-cookie-or-state');
      const endedKey = await keyOf(secret, `ended ${state}`);
      // One statement finds and changes it: of two requests at once, only one succeeds.
      const row = await db
        .updateTable('single_sign_ons')
        .set({ key: endedKey })
        .where('key', '=', await keyOf(secret, state))
        .returningAll()
        .executeTakeFirst();
      if (!row) throw expired('not-under-way');
      const now = clock();
      if (row.at <= now - pendingSignInLimits.life || row.at > latest(now)) throw expired('too-late');
      const begun = { returnTo: row.return_to, previousSession: row.previous_session, address: row.address };
      const forget = async (tx: BffDb) =>
        void (await tx.deleteFrom('single_sign_ons').where('key', '=', endedKey).execute());
      return { binding: await bind(secret, state), begun, forget };
    },
  };
}

const tooMany = () => new SingleSignOnFailure('too-many', 'too-many');

const expired = (reason: string) => new SingleSignOnFailure('expired', reason);

const keyOf = (secret: string, state: string) => sha256(`key ${secret} ${state}`);

/**
 * Nonce and verifier derive from a secret that only the browser's cookie holds, so a copy of the table reveals neither.
 */
async function bind(secret: string, state: string): Promise<Binding> {
  const nonce = await sha256(`nonce ${secret} ${state}`);
  const verifier = await sha256(`verifier ${secret} ${state}`);
  return { state, nonce, verifier };
}
