import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';

/**
 * Asks before typed changes are thrown away, by a link as by closing the window.
 *
 * @param onLeave called when a person throws them away
 * @param done set once they are saved, when going on is what was wanted
 */
export function LeaveGuard(props: { armed: boolean; done: RefObject<boolean>; onLeave: () => void }) {
  const { armed, done, onLeave } = props;
  const leaving = useBlocker({
    shouldBlockFn: () => armed && !done.current,
    enableBeforeUnload: () => armed && !done.current,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return (
    <Dialog
      title="Leave without saving?"
      onClose={leaving.reset}
      actions={
        <>
          <Button onClick={leaving.reset}>Stay here</Button>
          <Button
            look="danger"
            onClick={() => {
              onLeave();
              leaving.proceed();
            }}
          >
            Leave and lose the changes
          </Button>
        </>
      }
    >
      <p>What you entered is not saved yet.</p>
    </Dialog>
  );
}
