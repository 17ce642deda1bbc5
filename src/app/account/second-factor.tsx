import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fewRecoveryCodes, type SecondFactor as State } from '../../contract/bff/second-factor.ts';
import { secondFactorQuery } from '../api/client.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/count.ts';
import { Moment } from '../components/exact-time.tsx';
import { Notice } from '../components/notice.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import type { Act } from './second-factor-dialogs.tsx';
import styles from './account-page.module.css';

/**
 * What the user signs in with besides the password: an authenticator app, and recovery codes for when it is lost.
 *
 * @param props.onClose called when a dialog was closed, whether something was done or not
 */
export function SecondFactor({ onClose }: { onClose?: () => void }) {
  const session = useSession();
  const canHave = session?.canChangePassword ?? false;
  const factor = useQuery({ ...secondFactorQuery, enabled: canHave });
  const [act, setAct] = useState<Act | null>(null);
  const dialogs = useLazyModule(
    () => import('./second-factor-dialogs.tsx'),
    act !== null,
    () => setAct(null),
  );
  const close = () => {
    setAct(null);
    onClose?.();
  };
  return (
    <section className={styles.section} aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      {session && !canHave && (
        <p className={styles.about}>
          {session.canSignOut
            ? 'You sign in with single sign-on. Your provider does this: set up a second factor there.'
            : 'You can’t set one up here, because you didn’t need to sign in.'}
        </p>
      )}
      <ReadFailure what="your second factor" read={factor} />
      {canHave && factor.data && <Present state={factor.data} onAct={setAct} />}
      {act && dialogs && (
        <dialogs.SecondFactorDialog act={act} hasApp={factor.data?.app !== null} onClose={close} />
      )}
    </section>
  );
}

function Present({ state, onAct }: { state: State; onAct: (act: Act) => void }) {
  const { app, passkeys, recoveryCodes } = state;
  if (app === null)
    return (
      <>
        <p className={styles.about}>
          {passkeys.length === 0 && 'You sign in with your password only. '}With an authenticator app on your
          phone, nobody gets in who has only found out your password.
        </p>
        <div className={styles.buttons}>
          <Button onClick={() => onAct('setUp')}>Set up authenticator app</Button>
          {passkeys.length > 0 && <Button onClick={() => onAct('renew')}>New recovery codes…</Button>}
        </div>
        {passkeys.length > 0 && <CodesLeft count={recoveryCodes} />}
      </>
    );
  return (
    <>
      <p className={styles.about}>
        You sign in with your password and a code of your authenticator app, set up{' '}
        <Moment at={Date.parse(app.since)} past />
        {app.lastUsedAt !== null && (
          <>
            , last used <Moment at={Date.parse(app.lastUsedAt)} past />
          </>
        )}
        .
      </p>
      <CodesLeft count={recoveryCodes} />
      <div className={styles.buttons}>
        <Button onClick={() => onAct('renew')}>New recovery codes…</Button>
        <Button onClick={() => onAct('setUp')}>Use another app…</Button>
        <Button onClick={() => onAct('remove')}>Remove app…</Button>
      </div>
    </>
  );
}

/** How many recovery codes are left, with a warning if they are few. */
function CodesLeft({ count }: { count: number }) {
  return (
    <>
      <p className={styles.about}>{counted(count, 'recovery code')} left.</p>
      {count <= fewRecoveryCodes && (
        <Notice tone="warn">
          {count === 0 ? 'You have no recovery codes left.' : 'You have few recovery codes left.'} Make new
          ones, so that you can sign in without your phone.
        </Notice>
      )}
    </>
  );
}
