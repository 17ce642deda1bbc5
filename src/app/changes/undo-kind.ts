import type { Change } from '../../contract/bff/journal.ts';
import { undoOf, type Undo } from '../../contract/bff/undo.ts';

/** How a change goes back once it is done. */
export function undoBefore(operation: Change): Undo {
  return undoOf({ operation, outcome: 'done', undoneBy: null, before: { note: '' } });
}

/** Which of the three kinds an undo is of. */
export function undoKind({ operation }: Undo): string {
  if (operation === null) return 'Cannot be undone';
  return operation === 'createSubscriber' ? 'Can be made again' : 'Can be undone';
}

/** Whether and how it goes back, in a sentence or two. */
export function undoSentence(undo: Undo): string {
  const { sentence } = undo;
  return undo.operation === null
    ? `${undoKind(undo)}. ${sentence}`
    : `${undoKind(undo)}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
