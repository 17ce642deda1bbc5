import { deskApi, type DeskApi } from '../../contract/bff/api.ts';
import { readInput } from '../../contract/http/read-input.ts';
import type { Door } from '../router.ts';
import type { Views } from './views.ts';

type ViewDeed = Extract<keyof DeskApi, `${string}View` | `${string}Views`>;

/** The doors to one's own views; they are open to everybody who is signed in. */
export function createViewDoors(views: Views): Record<ViewDeed, Door> {
  return {
    listViews: { handle: async (_, who) => Response.json(await views.list(who)) },
    addView: {
      async handle({ request }, who) {
        const { body } = await readInput(deskApi.addView, request, {});
        return Response.json(await views.add(who, body));
      },
    },
    changeView: {
      async handle({ request }, who, values) {
        const { params, body } = await readInput(deskApi.changeView, request, values);
        return Response.json(await views.change(who, params.id, body));
      },
    },
    deleteView: {
      async handle({ request }, who, values) {
        const { params } = await readInput(deskApi.deleteView, request, values);
        await views.delete(who, params.id);
        return new Response(null, { status: 204 });
      },
    },
  };
}
