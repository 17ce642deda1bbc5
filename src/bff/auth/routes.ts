import type * as z from 'zod/mini';
import { allowedTo } from '../../contract/bff/permission.ts';
import type { Session } from '../../contract/bff/session.ts';
import type { backChannel, navigations } from '../../contract/bff/single-sign-on.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps, Upstream } from '../deps.ts';
import type { Sessions } from './sessions.ts';
import { Answer } from '../../contract/http/answer.ts';
import type { BffHandlers, Handlers } from '../http/router.ts';
import type { KnownStatuses } from '../upstream/known-statuses.ts';
import type { Views } from '../views/views.ts';
import type { SignedIn, SignIn } from './sign-in.ts';
import type { OpenIdSignIn } from './openid/navigations.ts';
import type { createChangePassword } from './account/change-password.ts';
import type { LacksFactor } from './second-factor.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';

export interface AuthRouteParts {
  sessions: Sessions;
  signIn: SignIn;
  openId: OpenIdSignIn | null;
  changePassword: ReturnType<typeof createChangePassword>;
  lacksFactor: LacksFactor;
  statuses: KnownStatuses;
  views: Views;
  extensions: Upstream['extensions'];
  statusHelp: BffDeps['statusHelp'];
  trialDays: BffDeps['trialDays'];
  playlistUrlTemplate: BffDeps['playlistUrlTemplate'];
}

/** The contract has no operation that sets a status. */
const usualStatusHelp = 'Status is set in the billing system.';

/** Sign-in, sign-out, the present session and the password. */
export function createAuthRoutes(parts: AuthRouteParts) {
  const { sessions, signIn, openId, changePassword } = parts;
  const sessionOf = createSessionOf(parts);
  const signedIn = async ({ staff, cookies }: SignedIn) => {
    const mustChangePassword = staff.must_change_password !== 0;
    const user = { ...staff, staffId: staff.id, mustChangePassword, singleSignOn: false, isProven: true };
    return new Answer(await sessionOf(user), { cookies });
  };
  return {
    getSession: async (_, _context, user) => await sessionOf(user),
    getSignInWays: async (_, { url }) => {
      const passkeys = await signIn.offersPasskeys(url.hostname);
      return { singleSignOn: openId !== null, passkeys };
    },
    async signIn({ body }, context) {
      sessions.checkMayStart();
      return signedIn(await signIn.byPassword(body, context));
    },
    getPasskeyRequest: async (_, context) => await signIn.requestPasskey(context),
    signInWithPasskey: async ({ body }, context) => signedIn(await signIn.byPasskey(body, context)),
    async signOut(_, { headers: sent }, { singleSignOn }) {
      const cookie = await sessions.end(sent);
      const goOnTo = singleSignOn ? ((await openId?.signOutUrl()) ?? null) : null;
      // Pages and answers that the browser keeps for Back and Forward hold personal data.
      const headers = { 'Clear-Site-Data': '"cache"' };
      return new Answer(goOnTo === null ? undefined : { goOnTo }, { headers, cookies: [cookie] });
    },
    async changePassword({ body }, context, user) {
      // Read first, so that nothing can fail when the password is changed.
      const session = await sessionOf({ ...user, mustChangePassword: false });
      const { cookies } = await changePassword(body, context, user);
      return new Answer(session, { cookies });
    },
  } satisfies Partial<BffHandlers>;
}

/** Pages of single sign-on, to which the browser navigates; without a provider they do not exist. */
export function createNavigationRoutes(openId: OpenIdSignIn | null): Handlers<typeof navigations> {
  return {
    startSingleSignOn: async (_, context) => (openId ?? noSingleSignOn()).start(context),
    finishSingleSignOn: async (_, context) => (openId ?? noSingleSignOn()).finish(context),
  };
}

/** Handles requests that the provider's server sends by itself. */
export function createBackChannelRoutes(openId: OpenIdSignIn | null): Handlers<typeof backChannel> {
  return {
    endProviderSession: async ({ body }, context) =>
      (openId ?? noSingleSignOn()).endSession(body.logout_token, context),
  };
}

function noSingleSignOn(): never {
  throw new Problem(
    'no-such-address',
    'Single sign-on is not set up here. Sign in with a name and a password.',
  );
}

/** Creates a function that returns what the dashboard may know about the current user. */
function createSessionOf(parts: AuthRouteParts) {
  const { sessions, extensions, statuses, views, statusHelp = usualStatusHelp, trialDays = 7 } = parts;
  return async (user: CurrentUser): Promise<z.input<typeof Session>> => {
    const lacksFactor = await parts.lacksFactor(user);
    const isBarred = user.mustChangePassword || lacksFactor;
    return {
      staff: { id: staffIdOf(user), name: user.name, role: user.role, singleSignOn: user.singleSignOn },
      can: isBarred ? [] : allowedTo(user.role),
      extensions: [...extensions],
      statusHelp,
      trialDays,
      ...(parts.playlistUrlTemplate !== undefined && { playlistUrlTemplate: parts.playlistUrlTemplate }),
      canSignOut: sessions.canSignOut,
      canChangePassword: sessions.canSignOut && !user.singleSignOn,
      mustChangePassword: user.mustChangePassword,
      isProven: user.isProven,
      views: isBarred ? [] : await views.list(user),
      ...(!isBarred && { statuses: statuses.get() }),
    };
  };
}
