import { deskApi } from '../../contract/bff/api.ts';
import { readInput } from '../../contract/http/read-input.ts';
import type { Drafts } from './store.ts';
import type { Door } from '../router.ts';

/** The doors to one's own drafts. */
export function createDraftDoors(drafts: Drafts): Record<'getDraft' | 'keepDraft' | 'dropDraft', Door> {
  return {
    getDraft: {
      async handle(visit, who, values) {
        const { params } = await readInput(deskApi.getDraft, visit.request, values);
        return Response.json(await drafts.find(who, params.id));
      },
    },
    keepDraft: {
      async handle(visit, who, values) {
        const { params, body } = await readInput(deskApi.keepDraft, visit.request, values);
        await drafts.keep(who, params.id, body);
        return new Response(null, { status: 204 });
      },
    },
    dropDraft: {
      async handle(visit, who, values) {
        const { params } = await readInput(deskApi.dropDraft, visit.request, values);
        await drafts.drop(who, params.id);
        return new Response(null, { status: 204 });
      },
    },
  };
}
