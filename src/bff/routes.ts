import { bffApi, type BffApi } from '../contract/bff/api.ts';
import { permissions } from '../contract/bff/permission.ts';
import { readInput } from '../contract/http/read-input.ts';
import { createJournalRoutes, type JournalRouteParts } from './journal/routes.ts';
import type { Proxy } from './proxy.ts';
import type { Door, Route } from './router.ts';
import { createAuthRoutes, type AuthRouteParts } from './auth/routes.ts';
import { createDraftRoutes } from './drafts/routes.ts';
import type { Drafts } from './drafts/store.ts';
import { createStaffRoutes } from './staff/routes.ts';
import { createViewRoutes } from './views/routes.ts';

type Parts = Parameters<typeof createStaffRoutes>[0] &
  JournalRouteParts &
  AuthRouteParts & {
    drafts: Drafts;
    proxy: Proxy;
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
  const { proxy, views } = parts;
  return {
    ...createAuthRoutes(parts),
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
