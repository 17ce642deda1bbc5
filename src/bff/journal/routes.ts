import { deskApi } from '../../contract/bff/api.ts';
import type { JournalDeed } from '../../contract/bff/permission.ts';
import { readInput } from '../../contract/http/read-input.ts';
import { listActivity } from './activity.ts';
import type { Changes } from './changes.ts';
import { undoOrder } from './undo.ts';
import type { BffDeps } from '../deps.ts';
import type { Door } from '../router.ts';

export type JournalDoorParts = Pick<BffDeps, 'db'> & { changes: Changes };

/** The doors to who did what, and to taking it back. */
export function createJournalDoors(parts: JournalDoorParts): Record<JournalDeed, Door> {
  const { db, changes } = parts;
  return {
    listActivity: {
      async handle(visit, who) {
        const { query } = await readInput(deskApi.listActivity, visit.request, {});
        return Response.json(await listActivity(db, query, who));
      },
    },
    undoChange: {
      async handle(visit, who, values) {
        const { params } = await readInput(deskApi.undoChange, visit.request, values);
        return changes.carry(['undoChange', params], () => undoOrder(db, params.id, who), visit, who);
      },
    },
  };
}
