import type { ReactNode } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

/** A dialog that asks for input or confirmation: what will happen, fields, Cancel, and one button to do it. */
export function ConfirmDialog(props: {
  title: string;
  /** The text of the button that does it, and its text while that is in progress. */
  action: string;
  busyAction?: string;
  look?: ButtonLook;
  /** The text of the button that closes the dialog. */
  cancel?: string;
  /** It is in progress: a second press does nothing. */
  busy?: boolean;
  /** Whether it can be closed now; by default whenever it is not busy. */
  canClose?: boolean;
  /** Why it cannot be done yet. */
  reason?: string | undefined;
  /** Why it failed. */
  error?: string | null | undefined;
  /** Announced at once by screen readers, like an error. */
  notice?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { busy = false, canClose = !busy, error } = props;
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
            {props.cancel ?? 'Cancel'}
          </Button>
          <Button type="submit" look={props.look ?? 'primary'} busy={busy} confirms reason={props.reason}>
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
