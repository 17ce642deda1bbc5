import type { Change } from '../../contract/bff/journal.ts';
import { usePermission } from '../api/session.ts';
import { undoBefore, undoSentence } from './undo-kind.ts';
import styles from './undo-note.module.css';

/** Beside an action: whether and how it goes back, and for whom. */
export function UndoNote({ operation }: { operation: Change }) {
  const undo = undoBefore(operation);
  const { reason } = usePermission(undo.operation ?? 'undoChange');
  return (
    <p className={styles.note}>
      {undoSentence(undo)} {undo.operation && reason}
    </p>
  );
}
