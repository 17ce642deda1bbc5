import type { BffDeps } from '../deps.ts';
import type { BffHandlers } from '../router.ts';
import { listActivity } from './activity.ts';
import type { Journal } from './journal.ts';
import { makeUndoRequest } from './undo.ts';

export type JournalRouteParts = Pick<BffDeps, 'db'> & { journal: Journal };

export function createJournalRoutes({ db, journal }: JournalRouteParts) {
  return {
    listActivity: async ({ query }, _, user) => Response.json(await listActivity(db, query, user)),
    undoChange({ params }, context, user) {
      const makeRequest = () => makeUndoRequest(db, params.id, user);
      return journal.doChange(['undoChange', params], makeRequest, context, user);
    },
  } satisfies Partial<BffHandlers>;
}
