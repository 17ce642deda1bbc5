import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Token } from './token.tsx';
import styles from './new-token-dialog.module.css';

/** A token that was just made, in sight until it is closed. */
export function NewTokenDialog(props: { username: string; accessToken: string; onClose: () => void }) {
  return (
    <Dialog
      title="Regenerate access token"
      onClose={props.onClose}
      actions={<Keep accessToken={props.accessToken} onClose={props.onClose} />}
    >
      <div role="status">
        <Notice tone="ok">{props.username} has a new token. The old one no longer works.</Notice>
      </div>
      <Token name="New token" text={props.accessToken} />
    </Dialog>
  );
}

/** The way out: the focus is on copying the token, so that a second Enter does not lose it. */
function Keep({ accessToken, onClose }: { accessToken: string; onClose: () => void }) {
  const buttons = useRef<HTMLDivElement>(null);
  // After the dialog has opened, which puts the focus where it likes.
  useEffect(() => {
    const moment = requestAnimationFrame(() => buttons.current?.querySelector('button')?.focus());
    return () => cancelAnimationFrame(moment);
  }, []);
  return (
    <div ref={buttons} className={styles.keep}>
      <CopyButton text={accessToken} name="token" small={false} />
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}
