import type * as z from 'zod/mini';
import type { Session } from '../contract/bff/session.ts';
import { bffApi, type BffApi } from '../contract/bff/api.ts';
import { allowedTo, permissions } from '../contract/bff/permission.ts';
import { readInput } from '../contract/http/read-input.ts';
import type { Upstream } from './deps.ts';
import type { Sessions } from './middleware/session.ts';
import { createJournalRoutes, type JournalRouteParts } from './journal/routes.ts';
import type { KnownStatuses } from './upstream/known-statuses.ts';
import type { Proxy } from './proxy.ts';
import type { Door, Route } from './router.ts';
import type { KnownBrowsers } from './auth/known-browsers.ts';
import type { ChangePassword } from './auth/own-password.ts';
import type { LocalSignIn } from './auth/local.ts';
import { createDraftRoutes } from './drafts/routes.ts';
import type { Drafts } from './drafts/store.ts';
import type { OpenIdSignIn } from './auth/openid.ts';
import { staffIdOf } from './journal/change-request.ts';
import { createStaffRoutes } from './staff/routes.ts';
import { createViewRoutes } from './views/routes.ts';
import type { Views } from './views/views.ts';
import type { CurrentUser } from './request-context.ts';

type Parts = Parameters<typeof createStaffRoutes>[0] &
  JournalRouteParts & {
    sessions: Sessions;
    signIn: LocalSignIn;
    openId: OpenIdSignIn | null;
    changePassword: ChangePassword;
    browsers: KnownBrowsers;
    drafts: Drafts;
    proxy: Proxy;
    statuses: KnownStatuses;
    views: Views;
    extensions: Upstream['extensions'];
  };

/** What the desk offers on its own account: one door for each row of its table, with the permission of its name. */
export function createOwnRoutes(parts: Parts): Route[] {
  const doors = createDoors(parts);
  return Object.entries(bffApi).map(([name, { method, path }]) => {
    // Object.entries forgets that the names are those of the table.
    const door = doors[name as keyof BffApi];
    const permission = permissions.find((deed) => deed === name);
    return { method, path, operation: name, door: permission && !door.open ? { ...door, permission } : door };
  });
}

function createDoors(parts: Parts): { [N in keyof BffApi]: Door } {
  const { sessions, signIn, openId, changePassword, browsers, proxy, views } = parts;
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
    ...createStaffRoutes(parts),
    ...createDraftRoutes(parts.drafts),
    ...createViewRoutes(views),
    ...createJournalRoutes(parts),
    findByToken: {
      permission: 'getSubscriberByToken',
      async handle(context, user) {
        const { body } = await readInput(bffApi.findByToken, context.request, {});
        const { accessToken, include } = body;
        const query = include.length > 0 ? { include } : {};
        return proxy.carry('getSubscriberByToken', { params: { accessToken }, query }, context, user);
      },
    },
  };
}

/** What the page learns of who is signed in, as it is on the wire. */
function createSessionOf({ sessions, extensions, statuses, views }: Parts) {
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
