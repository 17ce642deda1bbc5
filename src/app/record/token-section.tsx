import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { usePermission, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { useCommands } from '../components/app-context.ts';
import { CopyButton, useCopy } from '../components/copy-button.tsx';
import { maskedToken, playlistUrlOf } from '../../contract/bff/access-token.ts';
import { useAction } from '../api/use-action.ts';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { UndoNote } from '../subscriber/undo.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { NewTokenMessage } from './caller-message.tsx';
import type { ShownRecord, Version } from './edit-record.tsx';
import { noteContact } from '../subscriber/message-text.ts';
import { Section } from './section.tsx';
import { spelling, useRevealedToken } from './use-revealed-token.ts';
import styles from './token-section.module.css';

/** The access token: hidden until the user shows it, which is recorded, and hidden again after a while. */
export function AccessToken(props: ShownRecord) {
  const { subscriber, waiting } = props;
  const [isLarge, setLarge] = useState(false);
  const token = useRevealedToken(subscriber, isLarge ? spelling : undefined);
  const part = useLazyModule(
    () => import('./spelled-token.tsx'),
    isLarge,
    () => setLarge(false),
  );
  const showLarge = (large: boolean) => {
    setLarge(large);
    if (large) void token.show();
    else token.hide();
  };
  const [asking, setAsking] = useState(false);
  const { reason } = usePermission('regenerateToken');
  const seeing = usePermission('seeAccessToken');
  const copy = useCopy();
  const urlOf = useUrlOf(subscriber);
  const getUrl = async () => {
    const accessToken = await token.get();
    return accessToken === null || urlOf === undefined ? null : urlOf(accessToken);
  };
  const regenerate = () => {
    token.hide();
    setAsking(true);
  };
  const toggle = () => {
    setLarge(false);
    if (token.shown === null) void token.show();
    else token.hide();
  };
  const toggleName = token.shown === null ? 'Show token' : 'Hide token';
  const about = subscriber.username;
  useCommands([
    seeing.allowed && { name: 'Copy token', about, run: () => void copy(token.get, 'token') },
    seeing.allowed &&
      urlOf !== undefined && {
        name: 'Copy playlist URL',
        about,
        run: () => void copy(getUrl, 'playlist URL'),
      },
    seeing.allowed && { name: toggleName, about, run: toggle },
    seeing.allowed && { name: 'Show token large', about, run: () => showLarge(true) },
    (reason ?? waiting) === undefined && { name: 'Regenerate token…', about, run: regenerate },
  ]);
  return (
    <div className={`card ${styles.card}`}>
      <Section
        name="Access token"
        tools={
          seeing.allowed && (
            <>
              <Button variant="quiet" small aria-label={toggleName} onClick={toggle}>
                {token.shown === null ? 'Show' : 'Hide'}
              </Button>
              <Button
                variant="quiet"
                small
                aria-label="Show large, to read the token out"
                onClick={() => showLarge(true)}
              >
                Show large
              </Button>
              <CopyButton text={token.get} name="token" small />
            </>
          )
        }
      >
        <div className="row">
          <code className={styles.token}>{token.shown ?? maskedToken(subscriber.accessToken)}</code>
          {reason === undefined && (
            <Button aria-label="Regenerate token…" reason={waiting} onClick={regenerate}>
              Regenerate…
            </Button>
          )}
        </div>
        {seeing.allowed && urlOf && (
          <div>
            {token.shown !== null && <code className={styles.token}>{urlOf(token.shown)}</code>}
            <div className={styles.url}>
              <CopyButton text={getUrl} name="playlist URL" small shown="Copy playlist URL" />
            </div>
          </div>
        )}
        {seeing.reason && <p className="aside">{seeing.reason}</p>}
        {isLarge && part && token.shown !== null && (
          <part.SpelledToken
            username={subscriber.username}
            token={token.shown}
            onClose={() => showLarge(false)}
          />
        )}
        {asking && <RegenerateDialog {...props} onClose={() => setAsking(false)} />}
      </Section>
    </div>
  );
}

/** Makes the playlist address of a token; undefined where the deployment has no template. */
function useUrlOf({ username }: Pick<Subscriber, 'username'>) {
  const template = useSession()?.playlistUrlTemplate;
  if (template === undefined) return undefined;
  return (accessToken: string) => playlistUrlOf(template, { accessToken, username });
}

/** Says what will happen, regenerates the token, and shows the new one until the dialog is closed. */
function RegenerateDialog(props: Version & { onClose: () => void }) {
  const cache = useQueryClient();
  // The page behind shows the new token as soon as there is one; the dialog keeps the subscriber it was opened for.
  const [{ subscriber, etag }] = useState(props);
  const { id, username, accessToken } = subscriber;
  const regenerating = useAction('regenerateToken', {
    about: username,
    done: 'the token was replaced',
    check: 'Check the subscriber',
    toast: (_, isShown) => (isShown ? null : `${username} has a new token. The old one no longer works.`),
  });
  const renewed = regenerating.reply?.data;
  if (renewed) {
    const close = () => {
      noteContact(cache, renewed, 'regenerated');
      props.onClose();
    };
    return <NewTokenDialog subscriber={renewed} onClose={close} />;
  }
  return (
    <ChangeDialog
      title="Regenerate access token"
      action="Regenerate token"
      busyAction="Regenerating…"
      acting={regenerating}
      onConfirm={(reason) => void regenerating.run({ params: { id } }, { etag, reason })}
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

/**
 * Shows the new token, and what to tell the subscriber. The button that copies the token has the focus, so that a second
 * Enter does not close the dialog.
 */
function NewTokenDialog({ subscriber, onClose }: { subscriber: Subscriber; onClose: () => void }) {
  const { username, accessToken } = subscriber;
  const urlOf = useUrlOf(subscriber);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <Dialog
      title="Regenerate access token"
      onClose={onClose}
      actions={
        <>
          <CopyButton ref={first} text={accessToken} name="token" small={false} />
          {urlOf && <CopyButton text={urlOf(accessToken)} name="playlist URL" small={false} />}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div role="status">
        <Notice tone="ok">{username} has a new token. The old one no longer works.</Notice>
      </div>
      <Token name="New token" text={accessToken} />
      <NewTokenMessage subscriber={subscriber} />
    </Dialog>
  );
}

function Token({ name, text }: { name: string; text: string }) {
  return (
    <div className={`card stack ${styles.card}`}>
      <h3 className="label">{name}</h3>
      <code className={styles.token}>{text}</code>
    </div>
  );
}
