import { DeleteDialog } from '../detail/delete-dialog.tsx';
import { DeleteSeveralDialog } from './delete-several-dialog.tsx';
import type { Target } from './delete-run.ts';

/** Asks before those who are selected go: of one as everywhere else, of several by more. */
export function DeleteSelected(props: {
  targets: readonly Target[];
  onClose: () => void;
  /** Called in place of `onClose` where nobody of them is left. */
  onDone: () => void;
}) {
  const { targets, onClose, onDone } = props;
  const [only, second] = targets;
  if (!only || second) return <DeleteSeveralDialog {...props} />;
  return <DeleteDialog subscriber={only} etag={only.etag} onClose={onClose} onDone={onDone} />;
}
