import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useFocusHeading } from './app-context.ts';
import { Button, type ButtonVariant } from './button.tsx';
import { Form } from './field.tsx';
import styles from './dialog.module.css';
import { UnconfirmedNotice, type Acting, Notice } from './notice.tsx';

/**
 * A modal `<dialog>`: the browser keeps the focus inside and closes it by Escape. Then the focus returns, or goes to the
 * page's heading if what had it has disappeared meanwhile.
 *
 * @param onClose called when the user closes it; the parent then unmounts it
 * @param actions its buttons, in reading order, if it has more than Close; the first one is focused unless something has
 *   `autoFocus`
 */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** It cannot be closed, because something is in progress whose result the user has to see. */
  busy?: boolean;
  /** Puts the content and the actions into one form. */
  onSubmit?: (() => void) | undefined;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const origin = useRef<Element | null>(null);
  const leaving = useRef(false);
  const title = useId();

  const focusHeading = useFocusHeading();
  const { onSubmit, onClose, actions = <Button onClick={onClose}>Close</Button> } = props;
  const content = (
    <>
      <div className={styles.body}>{props.children}</div>
      <div className={`row ${styles.actions}`}>{actions}</div>
    </>
  );

  useEffect(() => {
    const shown = dialog.current;
    origin.current ??= document.activeElement;
    leaving.current = false;
    if (shown && !shown.open) shown.showModal();
    return () => {
      leaving.current = true;
      shown?.close();
      if (!origin.current?.isConnected) focusHeading();
      else if (origin.current instanceof HTMLElement) origin.current.focus();
    };
  }, [focusHeading]);

  return (
    <dialog
      ref={dialog}
      className={`card ${styles.dialog}`}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        if (!props.busy) props.onClose();
      }}
      onClose={() => {
        // Browsers close it without asking where Escape is pressed twice; whether it goes is for the parent to say. The
        // event comes later: if it is open again, as where React mounts it twice, the event is about the time before.
        if (leaving.current || dialog.current?.open) return;
        dialog.current?.showModal();
        if (!props.busy) props.onClose();
      }}
    >
      <h2 id={title}>{props.title}</h2>
      {onSubmit ? <Form onSubmit={onSubmit}>{content}</Form> : content}
    </dialog>
  );
}

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
