import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscriber } from '../../../contract/subscriber.ts';
import { regenerateToken } from '../../api/mutations.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { maskedToken } from '../masked-token.ts';
import { outcomeOf } from '../outcome.ts';
import { CopyToken } from './copy-token.tsx';
import styles from './regenerate-dialog.module.css';

/** Says what will happen, does it, and keeps the new token in sight until it is closed. */
export function RegenerateDialog(props: {
  subscriber: Subscriber;
  etag: string | null;
  onClose: () => void;
}) {
  // The page behind moves on to the new token; the dialog speaks of the one that it was opened for.
  const [{ id, username, accessToken }] = useState(props.subscriber);
  const [etag] = useState(props.etag);
  const change = useMutation(regenerateToken);
  const title = 'Regenerate access token';

  if (change.isSuccess)
    return (
      <Dialog
        title={title}
        onClose={props.onClose}
        actions={
          <>
            <CopyToken accessToken={change.data.accessToken} small={false} />
            <Button look="primary" onClick={props.onClose}>
              Done
            </Button>
          </>
        }
      >
        <Notice tone="ok">{username} has a new token. The old one no longer works.</Notice>
        <Token name="New token" text={change.data.accessToken} />
      </Dialog>
    );

  return (
    <Dialog
      title={title}
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button look="danger" busy={change.isPending} onClick={() => change.mutate({ id, etag })}>
            {change.isPending ? 'Regenerating…' : 'Regenerate token'}
          </Button>
        </>
      }
    >
      <p>
        The present token of <strong>{username}</strong> stops working at once, and every device that uses it
        is cut off until it is given the new one. This cannot be undone.
      </p>
      <Token name="Present token" text={maskedToken(accessToken)} />
      <div role="alert">
        {change.isError && <Notice tone="bad">{outcomeOf(change.error, 'the token was replaced')}</Notice>}
      </div>
    </Dialog>
  );
}

function Token({ name, text }: { name: string; text: string }) {
  return (
    <div className={styles.token}>
      <h3>{name}</h3>
      <code>{text}</code>
    </div>
  );
}
