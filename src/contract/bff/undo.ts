import type { Change, ChangeEntry } from './journal.ts';
import type { Permission } from './permission.ts';

/** The operation that undoes each change. A new token cannot be undone: the old one never works again. */
const inverse = {
  createSubscriber: 'deleteSubscriber',
  updateSubscriber: 'updateSubscriber',
  deleteSubscriber: 'createSubscriber',
  regenerateToken: null,
} as const satisfies Record<Change, Change | null>;

/** The operation that undoes a change and all that it needs, or the sentence that says why there is none. */
export type Undo =
  | { operation: Exclude<(typeof inverse)[Change], null>; needs: readonly Permission[] }
  | { operation: null; sentence: string };

/**
 * Says whether and how a change can be undone, as far as its entry tells. The BFF checks at the undo whether the same
 * fields were changed again later.
 */
export function undoOf(entry: Pick<ChangeEntry, 'operation' | 'outcome' | 'undoneBy' | 'before'>): Undo {
  if (entry.outcome === 'unknown')
    return no('It is unclear whether this change was made. Check the subscriber first.');
  if (entry.outcome !== 'done') return no('This change was not made, so there is nothing to undo.');
  if (entry.undoneBy !== null) return no('This change was already undone.');
  if (entry.operation === 'updateSubscriber' && Object.keys(entry.before ?? {}).length === 0)
    return no('This edit changed nothing, so there is nothing to undo.');
  // Another service may have none for somebody who never expires.
  if (entry.operation === 'updateSubscriber' && entry.before?.expiresAt === '')
    return no('The old expiry was unknown, so it can’t be set again. Enter a date instead.');
  const operation = inverse[entry.operation];
  if (operation === null) return no('The old token can’t be restored.');
  // Also what the change itself needed: no one undoes what they could not have done.
  return { operation, needs: ['undoChange', ...new Set([operation, entry.operation])] };
}

const no = (sentence: string): Undo => ({ operation: null, sentence });
