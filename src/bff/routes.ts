import type * as z from 'zod/mini';
import type { Session } from '../contract/bff/session.ts';
import { deskApi, type DeskApi } from '../contract/bff/api.ts';
import { allowedTo, permissions } from '../contract/bff/permission.ts';
import { readInput } from '../contract/http/read-input.ts';
import type { Upstream } from './deps.ts';
import type { Sessions } from './middleware/session.ts';
import { createJournalDoors, type JournalDoorParts } from './journal/routes.ts';
import type { KnownStatuses } from './upstream/known-statuses.ts';
import type { Proxy } from './proxy.ts';
import type { Door, Route } from './router.ts';
import type { KnownBrowsers } from './auth/known-browsers.ts';
import type { ChangePassword } from './auth/own-password.ts';
import type { LocalSignIn } from './auth/local.ts';
import { createDraftDoors } from './drafts/routes.ts';
import type { Drafts } from './drafts/store.ts';
import type { OpenIdSignIn } from './auth/openid.ts';
import { staffIdOf } from './journal/change-request.ts';
import { createStaffDoors } from './staff/routes.ts';
import { createViewDoors } from './views/routes.ts';
import type { Views } from './views/views.ts';
import type { Who } from './request-context.ts';

type Parts = Parameters<typeof createStaffDoors>[0] &
  JournalDoorParts & {
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
  return Object.entries(deskApi).map(([name, { method, path }]) => {
    // Object.entries forgets that the names are those of the table.
    const door = doors[name as keyof DeskApi];
    const permission = permissions.find((deed) => deed === name);
    return { method, path, operation: name, door: permission && !door.open ? { ...door, permission } : door };
  });
}

function createDoors(parts: Parts): { [N in keyof DeskApi]: Door } {
  const { sessions, signIn, openId, changePassword, browsers, proxy, views } = parts;
  const sessionOf = createSessionOf(parts);
  return {
    getSession: { withAnyPassword: true, handle: async (_, who) => Response.json(await sessionOf(who)) },
    signIn: {
      open: true,
      async handle(visit) {
        sessions.checkMayStart(visit.request);
        const { body } = await readInput(deskApi.signIn, visit.request, {});
        const staff = await signIn(body, visit);
        const headers = new Headers({ 'Set-Cookie': await sessions.start(visit.request, staff) });
        headers.append('Set-Cookie', await browsers.remember(visit.request, staff));
        const mustChangePassword = staff.must_change_password !== 0;
        const who = { ...staff, staffId: staff.id, mustChangePassword, singleSignOn: false };
        return Response.json(await sessionOf(who), { headers });
      },
    },
    signOut: {
      withAnyPassword: true,
      async handle({ request }, { singleSignOn }) {
        await readInput(deskApi.signOut, request, {});
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
      async handle(visit, who) {
        const { body } = await readInput(deskApi.changePassword, visit.request, {});
        const cookie = await changePassword(body, visit, who);
        const session = await sessionOf({ ...who, mustChangePassword: false });
        return Response.json(session, { headers: { 'Set-Cookie': cookie } });
      },
    },
    ...createStaffDoors(parts),
    ...createDraftDoors(parts.drafts),
    ...createViewDoors(views),
    ...createJournalDoors(parts),
    findByToken: {
      permission: 'getSubscriberByToken',
      async handle(visit, who) {
        const { body } = await readInput(deskApi.findByToken, visit.request, {});
        const { accessToken, include } = body;
        const query = include.length > 0 ? { include } : {};
        return proxy.carry('getSubscriberByToken', { params: { accessToken }, query }, visit, who);
      },
    },
  };
}

/** What the page learns of who is signed in, as it is on the wire. */
function createSessionOf({ sessions, extensions, statuses, views }: Parts) {
  return async (who: Who): Promise<z.input<typeof Session>> => ({
    staff: { id: staffIdOf(who), name: who.name, role: who.role },
    can: who.mustChangePassword ? [] : allowedTo(who.role),
    extensions: [...extensions],
    canSignOut: sessions.canSignOut,
    canChangePassword: sessions.canSignOut && !who.singleSignOn,
    mustChangePassword: who.mustChangePassword,
    views: who.mustChangePassword ? [] : await views.list(who),
    ...(!who.mustChangePassword && { statuses: statuses.get() }),
  });
}
