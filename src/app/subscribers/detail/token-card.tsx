import { useEffect, useState } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { usePermission } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { useApp, useCommands, type App } from '../../components/app-context.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { isMasked, maskedToken } from '../../../contract/bff/access-token.ts';
import { RegenerateDialog } from './regenerate-dialog.tsx';
import styles from './token-card.module.css';

/** The access token: hidden until asked for, and hidden again by itself. A viewer only ever gets its last characters. */
export function TokenCard(props: {
  subscriber: Subscriber;
  etag: string | null;
  /** Why nothing can be done with the token yet. */
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
    toasts.show('ok', 'The token is on the clipboard.');
  } catch {
    toasts.show('bad', 'The browser did not allow copying. Show the token and copy it by hand.');
  }
}

/** Time enough to read a token out, in ms. */
const showing = 30_000;

/** Shown for half a minute, and only while this window has the focus. */
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
