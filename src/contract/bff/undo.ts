import type { Change, JournalEntry } from './journal.ts';

/** The operation that undoes a change, or none, and the sentence that says so. */
export type Undo = { operation: Change; sentence: string } | { operation: null; sentence: string };

/**
 * Whether and how a change can be undone, as far as its entry tells. Whether the same fields were changed since is
 * checked by the BFF when it is undone.
 */
export function undoOf(entry: Pick<JournalEntry, 'operation' | 'outcome' | 'undoneBy' | 'before'>): Undo {
  if (entry.outcome === 'unknown')
    return no('It is not known whether this was done. Look at the subscriber first.');
  if (entry.outcome !== 'done') return no('This was not done, so there is nothing to undo.');
  if (entry.undoneBy !== null) return no('This was undone already.');
  if (entry.operation === 'updateSubscriber' && Object.keys(entry.before ?? {}).length === 0)
    return no('This changed nothing, so there is nothing to undo.');
  return ways[entry.operation];
}

const no = (sentence: string): Undo => ({ operation: null, sentence });

const ways: Readonly<Record<Change, Undo>> = {
  createSubscriber: { operation: 'deleteSubscriber', sentence: 'The subscriber is deleted.' },
  updateSubscriber: { operation: 'updateSubscriber', sentence: 'The fields go back to what they were.' },
  deleteSubscriber: {
    operation: 'createSubscriber',
    sentence: 'The subscriber is created again, with a new id and a new access token.',
  },
  regenerateToken: no('The old access token cannot come back. Regenerate it once more if it has to change.'),
};
