import { useEffect, useState } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { usePermission } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { useApp, useCommands, type App } from '../../components/app-context.ts';
import { CopyButton, copyOutcomes } from '../../components/copy-button.tsx';
import { isMasked, maskedToken } from '../../../contract/bff/access-token.ts';
import { regenerateToken, useChange } from '../../api/changes.ts';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useIsMounted } from '../../components/use-is-mounted.ts';
import styles from './access-token.module.css';

/** The access token: hidden until the user shows it, and hidden again after a while. Viewers get only its last characters. */
export function AccessToken(props: {
  subscriber: Subscriber;
  etag: string | null;
  /** Why the token cannot be changed yet. */
  waiting: string | undefined;
}) {
  const { subscriber, etag, waiting } = props;
  const [shown, setShown] = useShownForAWhile();
  const [asking, setAsking] = useState(false);
  const { reason } = usePermission('regenerateToken');
  const seeing = usePermission('seeAccessToken');
  const isWhole = !isMasked(subscriber.accessToken);
  const regenerate = () => {
    setShown(false);
    setAsking(true);
  };
  const app = useApp();
  const about = subscriber.username;
  useCommands([
    isWhole && { name: 'Copy token', about, run: () => void copyToken(subscriber.accessToken, app) },
    isWhole && { name: shown ? 'Hide token' : 'Show token', about, run: () => setShown(!shown) },
    (reason ?? waiting) === undefined && { name: 'Regenerate token…', about, run: regenerate },
  ]);
  return (
    <section className={styles.card} aria-label="Access token">
      <div className={styles.head}>
        <h3>Access token</h3>
        {isWhole && (
          <div>
            <Button
              look="quiet"
              small
              aria-label={shown ? 'Hide token' : 'Show token'}
              onClick={() => setShown(!shown)}
            >
              {shown ? 'Hide' : 'Show'}
            </Button>
            <CopyButton text={subscriber.accessToken} name="token" small />
          </div>
        )}
      </div>
      <code className={styles.token}>
        {shown ? subscriber.accessToken : maskedToken(subscriber.accessToken)}
      </code>
      {seeing.reason && <p className={styles.reason}>{seeing.reason}</p>}
      <Button aria-label="Regenerate token…" reason={reason ?? waiting} onClick={regenerate}>
        Regenerate…
      </Button>
      {asking && <RegenerateDialog subscriber={subscriber} etag={etag} onClose={() => setAsking(false)} />}
    </section>
  );
}

async function copyToken(token: string, { toasts }: App): Promise<void> {
  try {
    await navigator.clipboard.writeText(token);
    toasts.show('ok', copyOutcomes.copied('token'));
  } catch {
    toasts.show('bad', copyOutcomes.failed('token'));
  }
}

/** Long enough to read a token out on the phone; in ms. */
const showing = 30_000;

/** Whether it is shown: for a while, and only while this window has the focus. */
function useShownForAWhile() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!shown) return;
    const hide = () => setShown(false);
    const timer = setTimeout(hide, showing);
    window.addEventListener('blur', hide);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', hide);
    };
  }, [shown]);
  return [shown, setShown] as const;
}

const done = 'the token was replaced';

/** Says what will happen, regenerates the token, and shows the new one until the dialog is closed. */
function RegenerateDialog(props: { subscriber: Subscriber; etag: string | null; onClose: () => void }) {
  const { toasts } = useApp();
  // The page behind shows the new token as soon as there is one; the dialog keeps the subscriber it was opened for.
  const [{ id, username, accessToken }] = useState(props.subscriber);
  const [etag] = useState(props.etag);
  const isMounted = useIsMounted();
  const change = useChange(regenerateToken, {
    onSuccess: () => {
      if (!isMounted.current) toasts.show('ok', `${username} has a new token. The old one no longer works.`);
    },
    onError: (error) => {
      if (!isMounted.current)
        toasts.show('bad', `${username}: ${describeFailure(error, done, 'Check the subscriber')}`);
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
        The current token of <strong>{username}</strong> stops working immediately. Every device that uses it
        is cut off until it gets the new token.
      </p>
      <UndoNote operation="regenerateToken" />
      <Token name="Current token" text={maskedToken(accessToken)} />
    </ChangeDialog>
  );
}

/** Shows the new token. Copy comes first and has the focus, so that a second Enter does not close the dialog. */
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
    <div className={styles.inDialog}>
      <h3>{name}</h3>
      <code>{text}</code>
    </div>
  );
}
