import type { Change } from '../../contract/bff/journal.ts';
import { undoOf, type Undo } from '../../contract/bff/undo.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { usePermission } from '../api/session.ts';
import { statusOfActive } from '../../contract/service/limits.ts';
import { nameOfStatus } from './status-badge.tsx';

/** The undo of a change, once it is done. */
export function undoOfChange(operation: Change): Undo {
  return undoOf({ operation, outcome: 'done', undoneBy: null, before: { note: '' } });
}

/** The effect of an undo, by its operation. */
export const undoEffects: Readonly<Record<Exclude<Undo['operation'], null>, string>> = {
  createSubscriber: 'Creates the subscriber again, with a new ID and access token.',
  updateSubscriber: 'Sets the fields back to what they were.',
  deleteSubscriber: 'Deletes the subscriber.',
};

/**
 * The status after the undo of a deletion, as a warning; undefined if it stays the same.
 *
 * @param status of the subscriber before the deletion
 */
export function describeNewStatus(
  status: number | undefined,
  statuses: readonly Status[] | undefined,
): string | undefined {
  if (status === undefined) return undefined;
  const name = nameOfStatus(status, statuses) ?? `status ${status}`;
  return name === statusOfActive ? undefined : `It was ${name}. Undoing this makes it ${statusOfActive}.`;
}

/** Beside a button that makes a change, whether the change can be undone later, and by whom. */
export function UndoNote({ operation }: { operation: Change }) {
  const undo = undoOfChange(operation);
  const { reason } = usePermission(...(undo.operation === null ? [] : undo.needs));
  return <p className="aside">{sentenceOf(undo.operation, reason === undefined)}</p>;
}

function sentenceOf(undo: Undo['operation'], isAllowed: boolean): string {
  if (undo === null) return 'You can’t undo this.';
  if (!isAllowed) return 'Only a manager can undo this.';
  if (undo !== 'createSubscriber') return 'You can undo this after saving.';
  return 'You can’t fully undo this: it would get a new ID and access token.';
}
