import { useState } from 'react';
import { maskedToken } from '../../../contract/bff/access-token.ts';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { regenerateToken } from '../../api/changes.ts';
import { useChange } from '../../api/use-change.ts';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { useApp } from '../../components/app-context.ts';
import { useHere } from '../../components/use-is-mounted.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { Token } from './token.tsx';

const done = 'the token was replaced';

/** Says what will happen, does it, and keeps the new token in sight until it is closed. */
export function RegenerateDialog(props: {
  subscriber: Subscriber;
  etag: string | null;
  onClose: () => void;
}) {
  const { toasts } = useApp();
  // The page behind moves on to the new token; the dialog speaks of the one that it was opened for.
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
