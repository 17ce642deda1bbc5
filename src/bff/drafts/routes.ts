import { bffApi } from '../../contract/bff/api.ts';
import { readInput } from '../../contract/http/read-input.ts';
import type { Drafts } from './store.ts';
import type { Door } from '../router.ts';

/** The doors to one's own drafts. */
export function createDraftRoutes(drafts: Drafts): Record<'getDraft' | 'keepDraft' | 'dropDraft', Door> {
  return {
    getDraft: {
      async handle(context, user, values) {
        const { params } = await readInput(bffApi.getDraft, context.request, values);
        return Response.json(await drafts.find(user, params.id));
      },
    },
    keepDraft: {
      async handle(context, user, values) {
        const { params, body } = await readInput(bffApi.keepDraft, context.request, values);
        await drafts.keep(user, params.id, body);
        return new Response(null, { status: 204 });
      },
    },
    dropDraft: {
      async handle(context, user, values) {
        const { params } = await readInput(bffApi.dropDraft, context.request, values);
        await drafts.drop(user, params.id);
        return new Response(null, { status: 204 });
      },
    },
  };
}
