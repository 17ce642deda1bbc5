import { bffApi } from '../../contract/bff/api.ts';
import type { JournalOperation } from '../../contract/bff/permission.ts';
import { readInput } from '../../contract/http/read-input.ts';
import { listActivity } from './activity.ts';
import type { Journal } from './journal.ts';
import { makeUndoRequest } from './undo.ts';
import type { BffDeps } from '../deps.ts';
import type { Door } from '../router.ts';

export type JournalRouteParts = Pick<BffDeps, 'db'> & { journal: Journal };

export function createJournalRoutes(parts: JournalRouteParts): Record<JournalOperation, Door> {
  const { db, journal } = parts;
  return {
    listActivity: {
      async handle(context, user) {
        const { query } = await readInput(bffApi.listActivity, context.request, {});
        return Response.json(await listActivity(db, query, user));
      },
    },
    undoChange: {
      async handle(context, user, values) {
        const { params } = await readInput(bffApi.undoChange, context.request, values);
        const makeRequest = () => makeUndoRequest(db, params.id, user);
        return journal.doChange(['undoChange', params], makeRequest, context, user);
      },
    },
  };
}
