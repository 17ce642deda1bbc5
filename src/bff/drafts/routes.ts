import type { BffHandlers } from '../router.ts';
import { noContent } from '../router.ts';
import type { Drafts } from './store.ts';

export function createDraftRoutes(drafts: Drafts) {
  return {
    getDraft: async ({ params }, _, user) => Response.json(await drafts.find(user, params.id)),
    async keepDraft({ params, body }, _, user) {
      await drafts.keep(user, params.id, body);
      return noContent();
    },
    async dropDraft({ params }, _, user) {
      await drafts.drop(user, params.id);
      return noContent();
    },
  } satisfies Partial<BffHandlers>;
}
