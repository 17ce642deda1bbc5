import { bffApi } from '../../contract/bff/api.ts';
import type { JournalOperation } from '../../contract/bff/permission.ts';
import { readInput } from '../../contract/http/read-input.ts';
import { listActivity } from './activity.ts';
import type { Changes } from './changes.ts';
import { undoOrder } from './undo.ts';
import type { BffDeps } from '../deps.ts';
import type { Door } from '../router.ts';

export type JournalRouteParts = Pick<BffDeps, 'db'> & { changes: Changes };

/** The doors to who did what, and to taking it back. */
export function createJournalRoutes(parts: JournalRouteParts): Record<JournalOperation, Door> {
  const { db, changes } = parts;
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
        return changes.carry(['undoChange', params], () => undoOrder(db, params.id, user), context, user);
      },
    },
  };
}
