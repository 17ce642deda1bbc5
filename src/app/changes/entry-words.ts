import type { Change, JournalEntry } from '../../contract/bff/journal.ts';
import { problems } from '../../contract/http/problem-answer.ts';

/** What each operation is called where one is chosen. */
export const operationNames: Readonly<Record<Change, string>> = {
  createSubscriber: 'Create',
  updateSubscriber: 'Edit',
  deleteSubscriber: 'Delete',
  regenerateToken: 'Regenerate token',
};

const doneWords: Readonly<Record<Change, string>> = {
  createSubscriber: 'Created',
  updateSubscriber: 'Edited',
  deleteSubscriber: 'Deleted',
  regenerateToken: 'Token regenerated',
};

const wantedWords: Readonly<Record<Change, string>> = {
  createSubscriber: 'Creation',
  updateSubscriber: 'Edit',
  deleteSubscriber: 'Deletion',
  regenerateToken: 'Regeneration of the token',
};

/** What was done, or was to be done, in a word or two. */
export function deedOf({ operation, outcome, undoOf }: JournalEntry): string {
  const words = outcome === 'done' ? doneWords[operation] : wantedWords[operation];
  return undoOf === null ? words : `Undo: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

export const outcomeNames = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
  unknown: 'Not known',
} as const satisfies Record<JournalEntry['outcome'], string>;

/** Why something was not done, where the entry says so. */
export const whyNotDone = ({ code }: JournalEntry): string | null => code && problems[code][1];
