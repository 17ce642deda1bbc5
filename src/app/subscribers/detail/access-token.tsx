import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { usePermission } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { useApp, useCommands } from '../../components/app-context.ts';
import { CopyButton, copyOutcomes, copyText } from '../../components/copy-button.tsx';
import { maskedToken } from '../../../contract/bff/access-token.ts';
import { regenerateToken, useChange } from '../../api/changes.ts';
import { describeReadFailure } from '../../api/error-kinds.ts';
import { revealToken } from '../../api/mutations.ts';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useIsMounted } from '../../components/use-is-mounted.ts';
import styles from './access-token.module.css';

/** The access token: hidden until the user shows it, which is recorded, and hidden again after a while. */
export function AccessToken(props: {
  subscriber: Subscriber;
  etag: string | null;
  /** Why the token cannot be changed yet. */
  waiting: string | undefined;
}) {
  const { subscriber, etag, waiting } = props;
  const token = useRevealedToken(subscriber);
  const [asking, setAsking] = useState(false);
  const { reason } = usePermission('regenerateToken');
  const seeing = usePermission('seeAccessToken');
  const { toasts } = useApp();
  const regenerate = () => {
    token.hide();
    setAsking(true);
  };
  const toggle = () => (token.shown === null ? void token.show() : token.hide());
  const toggleName = token.shown === null ? 'Show token' : 'Hide token';
  const copy = async () => {
    const outcome = await copyText(token.get);
    if (outcome) toasts.show(outcome === 'copied' ? 'ok' : 'bad', copyOutcomes[outcome]('token'));
  };
  const about = subscriber.username;
  useCommands([
    seeing.allowed && { name: 'Copy token', about, run: () => void copy() },
    seeing.allowed && { name: toggleName, about, run: toggle },
    (reason ?? waiting) === undefined && { name: 'Regenerate token…', about, run: regenerate },
  ]);
  return (
    <section className={styles.card} aria-label="Access token">
      <div className={styles.head}>
        <h3>Access token</h3>
        {seeing.allowed && (
          <div>
            <Button look="quiet" small aria-label={toggleName} onClick={toggle}>
              {token.shown === null ? 'Show' : 'Hide'}
            </Button>
            <CopyButton text={token.get} name="token" small />
          </div>
        )}
      </div>
      <code className={styles.token}>{token.shown ?? maskedToken(subscriber.accessToken)}</code>
      <Button aria-label="Regenerate token…" reason={reason ?? waiting} onClick={regenerate}>
        Regenerate…
      </Button>
      {seeing.reason && <p className={styles.reason}>{seeing.reason}</p>}
      {asking && <RegenerateDialog subscriber={subscriber} etag={etag} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Long enough to read a token out on the phone; in ms. */
const showing = 30_000;

/** The whole token, shown for a while, and only while this window has the focus. Each time it is asked for anew. */
function useRevealedToken({ id, username }: Subscriber) {
  const { toasts } = useApp();
  const { mutateAsync, reset } = useMutation(revealToken);
  const [state, setState] = useState<'hidden' | 'asked' | { token: string }>('hidden');
  const isHidden = state === 'hidden';
  const shown = typeof state === 'object' ? state.token : null;
  useEffect(() => {
    if (isHidden) return;
    const hide = () => setState('hidden');
    const timer = shown === null ? undefined : setTimeout(hide, showing);
    window.addEventListener('blur', hide);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', hide);
    };
  }, [isHidden, shown]);

  /** Null if it could not be had, which a toast says. */
  async function get(): Promise<string | null> {
    if (shown !== null) return shown;
    try {
      return await mutateAsync(id);
    } catch (error) {
      toasts.show('bad', `Couldn’t get the token of ${username}. ${describeReadFailure(error)}`);
      return null;
    } finally {
      // Else its answer would be kept as long as the pane is open.
      reset();
    }
  }

  return {
    /** Null while it is hidden. */
    shown,
    get,
    async show(): Promise<void> {
      if (!isHidden) return;
      setState('asked');
      const token = await get();
      // It may have been hidden meanwhile, or the window left.
      setState((now) => (now !== 'asked' ? now : token === null ? 'hidden' : { token }));
    },
    hide: () => setState('hidden'),
  };
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
