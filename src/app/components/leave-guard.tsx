import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

/**
 * Asks before a link, or closing the window, discards unsaved input.
 *
 * @param props.isUnsaved asked when the user leaves, because saving may have ended since the last render
 */
export function LeaveGuard({ isUnsaved, onLeave }: { isUnsaved: () => boolean; onLeave?: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const leave = () => {
    onLeave?.();
    blocker.proceed();
  };
  return <DiscardDialog onKeep={blocker.reset} onDiscard={leave} />;
}

/**
 * Keeps the page, also from Back, while it shows what nobody can see again, or waits for it.
 *
 * @param onTry called when the user tries to leave
 */
export function useStay(stays: boolean, onTry?: () => void): void {
  useBlocker({
    shouldBlockFn: () => {
      onTry?.();
      return true;
    },
    disabled: !stays,
  });
}

/** Asks whether unsaved input is to be discarded. */
export function DiscardDialog({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <ConfirmDialog
      title="Leave without saving?"
      cancel="Keep editing"
      action="Discard changes"
      variant="danger"
      onClose={onKeep}
      onSubmit={onDiscard}
    >
      <p>Your changes aren’t saved.</p>
    </ConfirmDialog>
  );
}
