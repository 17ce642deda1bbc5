import type { ReactNode } from 'react';
import { Button, type ButtonLook } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';

/** Says what will happen, and does it when told so; a refusal stays in sight. */
export function ConfirmDialog(props: {
  title: string;
  /** The words of the button that does it, and while it is done. */
  action: string;
  busyAction: string;
  look: ButtonLook;
  busy: boolean;
  /** Why it was not done, or may not have been. */
  trouble: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      busy={props.busy}
      actions={
        <>
          <Button busy={props.busy} onClick={props.onClose}>
            Cancel
          </Button>
          <Button look={props.look} busy={props.busy} onClick={props.onConfirm}>
            {props.busy ? props.busyAction : props.action}
          </Button>
        </>
      }
    >
      {props.children}
      <div role="alert">{props.trouble !== null && <Notice tone="bad">{props.trouble}</Notice>}</div>
    </Dialog>
  );
}
