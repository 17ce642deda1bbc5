import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Asks before typed changes are thrown away, by a link as by closing the window. */
export function LeaveGuard({ armed }: { armed: boolean }) {
  const leaving = useBlocker({ shouldBlockFn: () => armed, enableBeforeUnload: armed, withResolver: true });
  if (leaving.status !== 'blocked') return null;
  return (
    <Dialog
      title="Leave without saving?"
      onClose={leaving.reset}
      actions={
        <>
          <Button onClick={leaving.reset}>Stay here</Button>
          <Button look="danger" onClick={leaving.proceed}>
            Leave and lose the changes
          </Button>
        </>
      }
    >
      <p>What you entered is not saved yet.</p>
    </Dialog>
  );
}
