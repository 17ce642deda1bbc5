import { deskApi, type DeskApi, type Session } from '../contract/desk.ts';
import { allowedTo } from '../contract/permission.ts';
import { readInput } from '../contract/read-input.ts';
import type { Upstream } from './deps.ts';
import type { Sessions } from './guards/session.ts';
import type { Proxy } from './proxy.ts';
import type { Door, Route } from './router.ts';
import type { LocalSignIn } from './sign-in/local.ts';
import type { Who } from './visit.ts';

interface Parts {
  sessions: Sessions;
  signIn: LocalSignIn;
  proxy: Proxy;
  extensions: Upstream['extensions'];
}

/** What the desk offers on its own account: one door for each row of its table. */
export function createOwnRoutes(parts: Parts): Route[] {
  const doors = createDoors(parts);
  return Object.entries(deskApi).map(([name, { method, path }]) => {
    // Object.entries forgets that the names are those of the table.
    return { method, path, door: doors[name as keyof DeskApi] };
  });
}

function createDoors({ sessions, signIn, proxy, extensions }: Parts): { [N in keyof DeskApi]: Door } {
  const sessionOf = ({ name, role }: Pick<Who, 'name' | 'role'>): Session => ({
    staff: { name, role },
    can: allowedTo(role),
    extensions: [...extensions],
    canSignOut: sessions.canSignOut,
  });
  return {
    getSession: { handle: async (_, who) => Response.json(sessionOf(who)) },
    signIn: {
      open: true,
      async handle(visit) {
        sessions.checkMayStart(visit.request);
        const { body } = await readInput(deskApi.signIn, visit.request, {});
        const staff = await signIn(body, visit);
        const cookie = await sessions.start(visit.request, staff.id);
        return Response.json(sessionOf(staff), { headers: { 'Set-Cookie': cookie } });
      },
    },
    signOut: {
      async handle({ request }) {
        await readInput(deskApi.signOut, request, {});
        return new Response(null, { status: 204, headers: { 'Set-Cookie': await sessions.end(request) } });
      },
    },
    findByToken: {
      operation: 'getSubscriberByToken',
      async handle(visit, who) {
        const { body } = await readInput(deskApi.findByToken, visit.request, {});
        const { accessToken, include } = body;
        const query = include.length > 0 ? { include } : {};
        return proxy.carry('getSubscriberByToken', { params: { accessToken }, query }, visit, who);
      },
    },
  };
}
