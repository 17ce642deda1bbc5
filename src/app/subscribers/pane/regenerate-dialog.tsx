import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Subscriber } from '../../../contract/subscriber.ts';
import { regenerateToken } from '../../api/mutations.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { maskedToken } from '../../../contract/masked-token.ts';
import { outcomeOf } from '../outcome.ts';
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

  return (
    <Dialog
      title={title}
      busy={change.isPending}
      onClose={props.onClose}
      actions={
        change.isSuccess ? (
          <Keep accessToken={change.data.accessToken} onClose={props.onClose} />
        ) : (
          <>
            <Button key="cancel" busy={change.isPending} onClick={props.onClose}>
              Cancel
            </Button>
            <Button
              key="regenerate"
              look="danger"
              busy={change.isPending}
              onClick={() => change.mutate({ id, etag })}
            >
              {change.isPending ? 'Regenerating…' : 'Regenerate token'}
            </Button>
          </>
        )
      }
    >
      {!change.isSuccess && (
        <p>
          The present token of <strong>{username}</strong> stops working at once, and every device that uses
          it is cut off until it is given the new one. This cannot be undone.
        </p>
      )}
      <div role="status">
        {change.isSuccess && (
          <Notice tone="ok">{username} has a new token. The old one no longer works.</Notice>
        )}
      </div>
      <Token
        name={change.isSuccess ? 'New token' : 'Present token'}
        text={change.isSuccess ? change.data.accessToken : maskedToken(accessToken)}
      />
      <div role="alert">
        {change.isError && (
          <Notice tone="bad">
            {outcomeOf(change.error, 'the token was replaced', 'Close this and look')}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

/** The way out once there is a new token: the focus is on copying it, so that a second Enter does not lose it. */
function Keep({ accessToken, onClose }: { accessToken: string; onClose: () => void }) {
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => buttons.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={buttons} className={styles.keep}>
      <CopyButton text={accessToken} name="token" small={false} />
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
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
