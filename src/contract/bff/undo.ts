import type { Change, ChangeEntry } from './journal.ts';

/** The operation that undoes each change. A new token cannot be undone: the old one never works again. */
const inverse = {
  createSubscriber: 'deleteSubscriber',
  updateSubscriber: 'updateSubscriber',
  deleteSubscriber: 'createSubscriber',
  regenerateToken: null,
} as const satisfies Record<Change, Change | null>;

/** The operation that undoes a change, or the sentence that says why there is none. */
export type Undo =
  | { operation: Exclude<(typeof inverse)[Change], null> }
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
  const operation = inverse[entry.operation];
  return operation === null ? no('The old token cannot be restored.') : { operation };
}

const no = (sentence: string): Undo => ({ operation: null, sentence });
