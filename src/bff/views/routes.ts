import { bffApi, type BffApi } from '../../contract/bff/api.ts';
import { readInput } from '../../contract/http/read-input.ts';
import type { Door } from '../router.ts';
import type { Views } from './views.ts';

type ViewDeed = Extract<keyof BffApi, `${string}View` | `${string}Views`>;

/** The doors to one's own views; they are open to everybody who is signed in. */
export function createViewRoutes(views: Views): Record<ViewDeed, Door> {
  return {
    listViews: { handle: async (_, user) => Response.json(await views.list(user)) },
    addView: {
      async handle({ request }, user) {
        const { body } = await readInput(bffApi.addView, request, {});
        return Response.json(await views.add(user, body));
      },
    },
    changeView: {
      async handle({ request }, user, values) {
        const { params, body } = await readInput(bffApi.changeView, request, values);
        return Response.json(await views.change(user, params.id, body));
      },
    },
    deleteView: {
      async handle({ request }, user, values) {
        const { params } = await readInput(bffApi.deleteView, request, values);
        await views.delete(user, params.id);
        return new Response(null, { status: 204 });
      },
    },
  };
}
