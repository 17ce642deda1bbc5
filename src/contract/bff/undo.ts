import type { Change, JournalEntry } from './journal.ts';

/** How a change goes back: by which operation, or by none; and the sentence that says so. */
export type Undo = { operation: Change; sentence: string } | { operation: null; sentence: string };

/**
 * Whether and how a change goes back, as far as its entry tells. Whether somebody changed the same since is for the
 * desk to find out when it is done.
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
