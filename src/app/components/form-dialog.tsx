import type { ReactNode } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

/**
 * A dialog that is a form or asks for confirmation: what will happen, the fields for it, Cancel and one button that
 * does it.
 */
export function FormDialog(props: {
  title: string;
  /** The text of the button that does it, and its text while that is under way. */
  action: string;
  busyAction?: string;
  look?: ButtonLook;
  /** It asks for confirmation, so only the button gives it: a second Enter on what opened the dialog must not. */
  confirmation?: boolean;
  /** The text of the button that closes the dialog. */
  cancel?: string;
  /** It is being done: the button takes no second press. */
  busy?: boolean;
  /** Whether it can be closed now; by default whenever it is not busy. */
  canClose?: boolean;
  /** Why it cannot be done yet. */
  reason?: string | undefined;
  /** Why it failed. */
  error?: string | null | undefined;
  /** Said at once to screen readers, like an error. */
  notice?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy = false, canClose = !busy, confirmation = false, error } = props;
  const submit = () => {
    if (!busy && props.reason === undefined) props.onSubmit();
  };
  return (
    <Dialog
      title={props.title}
      busy={!canClose}
      onClose={props.onClose}
      onSubmit={confirmation ? undefined : submit}
      actions={
        <>
          <Button busy={!canClose} onClick={props.onClose}>
            {props.cancel ?? 'Cancel'}
          </Button>
          <Button
            type={confirmation ? 'button' : 'submit'}
            look={props.look ?? 'primary'}
            busy={busy}
            reason={props.reason}
            onClick={confirmation ? submit : undefined}
          >
            {busy ? (props.busyAction ?? props.action) : props.action}
          </Button>
        </>
      }
    >
      {props.children}
      <div role="alert">
        {props.notice}
        {error && <Notice tone="bad">{error}</Notice>}
      </div>
    </Dialog>
  );
}
