import { useId, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './staff-form-dialog.module.css';

/** A dialog around a form; Enter in a field is its button. */
export function StaffFormDialog(props: {
  title: string;
  action: string;
  busyAction: string;
  busy: boolean;
  trouble: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
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
          <Button type="submit" form={id} look="primary" busy={props.busy}>
            {props.busy ? props.busyAction : props.action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        {props.children}
      </form>
      <div role="alert">{props.trouble !== null && <Notice tone="bad">{props.trouble}</Notice>}</div>
    </Dialog>
  );
}
