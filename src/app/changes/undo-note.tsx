import type { Change } from '../../contract/bff/journal.ts';
import { undoOf, type Undo } from '../../contract/bff/undo.ts';
import { usePermission } from '../api/session.ts';
import styles from './changes.module.css';

/** How a change can be undone once it is done. */
export function undoOfChange(operation: Change): Undo {
  return undoOf({ operation, outcome: 'done', undoneBy: null, before: { note: '' } });
}

/** Which of the three kinds an undo is, in a few words. */
export function undoKind({ operation }: Undo): string {
  if (operation === null) return 'Cannot be undone';
  return operation === 'createSubscriber' ? 'Can be made again' : 'Can be undone';
}

/** Whether and how a change can be undone, in a sentence or two. */
export function undoSentence(undo: Undo): string {
  const { sentence } = undo;
  return undo.operation === null
    ? `${undoKind(undo)}. ${sentence}`
    : `${undoKind(undo)}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** Beside an action: whether and how it can be undone, and by which roles. */
export function UndoNote({ operation }: { operation: Change }) {
  const undo = undoOfChange(operation);
  const { reason } = usePermission(undo.operation ?? 'undoChange');
  return (
    <p className={styles.note}>
      {undoSentence(undo)} {undo.operation && reason}
    </p>
  );
}
