import type { ReactNode } from 'react';
import { UnconfirmedNotice, type Acting, Notice } from './notice.tsx';
import { Button, type ButtonVariant } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  /** The text of the button that does it, and its text while that is in progress. */
  action: string;
  busyAction?: string | undefined;
  variant?: ButtonVariant | undefined;
  /** The text of the button that closes the dialog. */
  cancel?: string;
  /** The state of what the button does. */
  acting?: Acting;
  /** True if it can be closed now; by default whenever it is not busy, or its answer is lost. */
  canClose?: boolean;
  /** The reason why it cannot be done yet. */
  reason?: string | undefined;
  /** Announced at once by screen readers, like an error. */
  notice?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that asks for confirmation: what will happen, Cancel, and one button to do it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { acting } = props;
  const busy = acting?.isBusy ?? false;
  // What is unconfirmed goes on without the dialog, and a toast says how it ended.
  const { canClose = !busy || Boolean(acting?.unconfirmed) } = props;
  const submit = () => {
    if (!busy && props.reason === undefined) props.onSubmit();
  };
  return (
    <Dialog
      title={props.title}
      busy={!canClose}
      onClose={props.onClose}
      onSubmit={submit}
      actions={
        <>
          <Button busy={!canClose} onClick={props.onClose}>
            {acting?.unconfirmed ? 'Close' : (props.cancel ?? 'Cancel')}
          </Button>
          <Button
            type="submit"
            variant={props.variant ?? 'primary'}
            busy={busy}
            confirms
            reason={props.reason}
          >
            {busy ? (props.busyAction ?? props.action) : props.action}
          </Button>
        </>
      }
    >
      {props.children}
      <div role="alert">
        {props.notice}
        {acting && <UnconfirmedNotice acting={acting} />}
        {acting?.failure && <Notice tone="bad">{acting.failure}</Notice>}
      </div>
    </Dialog>
  );
}
