import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './dialog.tsx';

/**
 * Asks before a link, or closing the window, discards unsaved input.
 *
 * @param props.isUnsaved asked when the user leaves, because saving may have ended since the last render
 * @param props.isSending it is being saved, which goes on when the user leaves
 */
export function LeaveGuard(props: { isUnsaved: () => boolean; isSending?: boolean; onLeave?: () => void }) {
  const { isUnsaved, isSending = false, onLeave } = props;
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
  if (!isSending) return <DiscardDialog onKeep={blocker.reset} onDiscard={leave} />;
  return (
    <ConfirmDialog
      title="Leave while this is being saved?"
      cancel="Stay"
      action="Leave"
      onClose={blocker.reset}
      onSubmit={leave}
    >
      <p>Your changes are on their way. A message will say whether they were saved.</p>
    </ConfirmDialog>
  );
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
