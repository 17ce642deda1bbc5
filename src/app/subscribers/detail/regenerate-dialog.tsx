import { useState } from 'react';
import { maskedToken } from '../../../contract/bff/access-token.ts';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { regenerateToken } from '../../api/changes.ts';
import { useChange } from '../../api/use-change.ts';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { useApp } from '../../components/app-context.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useHere } from '../../components/use-is-mounted.ts';
import styles from './regenerate-dialog.module.css';

const done = 'the token was replaced';

/** Says what will happen, regenerates the token, and shows the new one until the dialog is closed. */
export function RegenerateDialog(props: {
  subscriber: Subscriber;
  etag: string | null;
  onClose: () => void;
}) {
  const { toasts } = useApp();
  // The page behind shows the new token as soon as it is there; the dialog keeps the subscriber it was opened for.
  const [{ id, username, accessToken }] = useState(props.subscriber);
  const [etag] = useState(props.etag);
  const here = useHere();
  const change = useChange(regenerateToken, {
    onSuccess: () => {
      if (!here.current) toasts.show('ok', `${username} has a new token. The old one no longer works.`);
    },
    onError: (error) => {
      if (!here.current) toasts.show('bad', `${username}: ${describeFailure(error, done, 'Look at it')}`);
    },
  });
  if (change.isSuccess)
    return (
      <NewTokenDialog
        username={username}
        accessToken={change.data.data.accessToken}
        onClose={props.onClose}
      />
    );
  return (
    <ChangeDialog
      title="Regenerate access token"
      action="Regenerate token"
      busyAction="Regenerating…"
      done={done}
      change={change}
      onConfirm={(reason) => change.mutate({ id, etag, reason })}
      onClose={props.onClose}
    >
      <p>
        The present token of <strong>{username}</strong> stops working at once, and every device that uses it
        is cut off until it is given the new one.
      </p>
      <UndoNote operation="regenerateToken" />
      <Token name="Present token" text={maskedToken(accessToken)} />
    </ChangeDialog>
  );
}

/** Shows the new token. The dialog focuses its first button, which copies, so that a second Enter does not close it. */
function NewTokenDialog(props: { username: string; accessToken: string; onClose: () => void }) {
  return (
    <Dialog
      title="Regenerate access token"
      onClose={props.onClose}
      actions={
        <>
          <CopyButton text={props.accessToken} name="token" small={false} />
          <Button look="primary" onClick={props.onClose}>
            Done
          </Button>
        </>
      }
    >
      <div role="status">
        <Notice tone="ok">{props.username} has a new token. The old one no longer works.</Notice>
      </div>
      <Token name="New token" text={props.accessToken} />
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
