import { useEffect, useRef } from 'react';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './one-time-password-dialog.module.css';

/** The one time that a password is shown, and how to pass it on. */
export function OneTimePasswordDialog(props: { name: string; password: string; onClose: () => void }) {
  const { name, password } = props;
  const box = useRef<HTMLDivElement>(null);
  // The button or field that had the focus is gone with the question that it answered.
  useEffect(() => box.current?.focus(), []);
  return (
    <Dialog
      title={`One-time password for ${name}`}
      onClose={props.onClose}
      actions={
        <>
          <CopyButton text={password} name="password" small={false} />
          <Button look="primary" onClick={props.onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={box} tabIndex={-1} className={styles.box}>
        <code>{password}</code>
      </div>
      <p>
        Tell it to <strong>{name}</strong> in person or by phone. The first sign-in asks for a password of
        their own, and from then on this one opens nothing. It is good for {oneTimePasswordHours} hours.
      </p>
      <Notice tone="warn">It is shown this once. If it gets lost, give a new one.</Notice>
    </Dialog>
  );
}
