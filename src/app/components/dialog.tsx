import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useFocusHeading } from './app-context.ts';
import { Button } from './button.tsx';
import { Form } from './field.tsx';
import styles from './dialog.module.css';

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
