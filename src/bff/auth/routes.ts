import type * as z from 'zod/mini';
import { bffApi } from '../../contract/bff/api.ts';
import { allowedTo } from '../../contract/bff/permission.ts';
import type { Session } from '../../contract/bff/session.ts';
import { navigations, type NavigationName } from '../../contract/bff/single-sign-on.ts';
import { readInput } from '../../contract/http/read-input.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { Upstream } from '../deps.ts';
import { staffIdOf } from '../journal/change-request.ts';
import type { Sessions } from '../middleware/session.ts';
import type { CurrentUser, RequestContext } from '../request-context.ts';
import type { Door, Route } from '../router.ts';
import type { KnownStatuses } from '../upstream/known-statuses.ts';
import type { Views } from '../views/views.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { LocalSignIn } from './local-sign-in.ts';
import type { OpenIdSignIn } from './openid-sign-in.ts';
import type { ChangePassword } from './own-password.ts';

export interface AuthRouteParts {
  sessions: Sessions;
  signIn: LocalSignIn;
  openId: OpenIdSignIn | null;
  changePassword: ChangePassword;
  browsers: KnownBrowsers;
  statuses: KnownStatuses;
  views: Views;
  extensions: Upstream['extensions'];
}

type AuthRow = 'getSession' | 'signIn' | 'signOut' | 'getSignInWays' | 'changePassword';

/** Sign-in, sign-out and the user's own session and password. */
export function createAuthRoutes(parts: AuthRouteParts): Record<AuthRow, Door> {
  const { sessions, signIn, openId, changePassword, browsers } = parts;
  const sessionOf = createSessionOf(parts);
  return {
    getSession: { withAnyPassword: true, handle: async (_, user) => Response.json(await sessionOf(user)) },
    signIn: {
      open: true,
      async handle(context) {
        sessions.checkMayStart(context.request);
        const { body } = await readInput(bffApi.signIn, context.request, {});
        const staff = await signIn(body, context);
        const headers = new Headers({ 'Set-Cookie': await sessions.start(context.request, staff) });
        headers.append('Set-Cookie', await browsers.remember(context.request, staff));
        const mustChangePassword = staff.must_change_password !== 0;
        const user = { ...staff, staffId: staff.id, mustChangePassword, singleSignOn: false };
        return Response.json(await sessionOf(user), { headers });
      },
    },
    signOut: {
      withAnyPassword: true,
      async handle({ request }, { singleSignOn }) {
        await readInput(bffApi.signOut, request, {});
        const headers = { 'Set-Cookie': await sessions.end(request) };
        const goOnTo = singleSignOn ? ((await openId?.signOutUrl()) ?? null) : null;
        return goOnTo === null
          ? new Response(null, { status: 204, headers })
          : Response.json({ goOnTo }, { headers });
      },
    },
    getSignInWays: { open: true, handle: async () => Response.json({ singleSignOn: openId !== null }) },
    changePassword: {
      withAnyPassword: true,
      async handle(context, user) {
        const { body } = await readInput(bffApi.changePassword, context.request, {});
        const cookie = await changePassword(body, context, user);
        const session = await sessionOf({ ...user, mustChangePassword: false });
        return Response.json(session, { headers: { 'Set-Cookie': cookie } });
      },
    },
  };
}

/** What the dashboard learns about the current user. */
function createSessionOf({ sessions, extensions, statuses, views }: AuthRouteParts) {
  return async (user: CurrentUser): Promise<z.input<typeof Session>> => ({
    staff: { id: staffIdOf(user), name: user.name, role: user.role },
    can: user.mustChangePassword ? [] : allowedTo(user.role),
    extensions: [...extensions],
    canSignOut: sessions.canSignOut,
    canChangePassword: sessions.canSignOut && !user.singleSignOn,
    mustChangePassword: user.mustChangePassword,
    views: user.mustChangePassword ? [] : await views.list(user),
    ...(!user.mustChangePassword && { statuses: statuses.get() }),
  });
}

/** Pages of single sign-on, to which the browser navigates; without a provider they do not exist. */
export function createNavigationRoutes(openId: OpenIdSignIn | null): Route[] {
  const handlers: Record<NavigationName, (context: RequestContext) => Promise<Response>> = {
    startSingleSignOn: (context) => (openId ?? noSingleSignOn()).start(context),
    finishSingleSignOn: (context) => (openId ?? noSingleSignOn()).finish(context),
  };
  return Object.entries(navigations).map(([name, { method, path }]) => ({
    method,
    path,
    operation: name,
    // Object.entries forgets that the names are those of the table.
    door: { open: true, handle: async (context) => handlers[name as NavigationName](context) },
  }));
}

function noSingleSignOn(): never {
  throw new Refusal(
    'no-such-address',
    'There is no single sign-on here. Sign in with a name and a password.',
  );
}
