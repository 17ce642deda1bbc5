import { noContent, type BffHandlers } from '../router.ts';
import type { Views } from './views.ts';

export function createViewRoutes(views: Views) {
  return {
    listViews: async (_, _context, user) => Response.json(await views.list(user)),
    addView: async ({ body }, _, user) => Response.json(await views.add(user, body)),
    changeView: async ({ params, body }, _, user) => Response.json(await views.change(user, params.id, body)),
    async deleteView({ params }, _, user) {
      await views.delete(user, params.id);
      return noContent();
    },
  } satisfies Partial<BffHandlers>;
}
