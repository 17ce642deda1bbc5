import { useId, useState } from 'react';
import type { Session } from '../../../contract/bff/session.ts';
import { roleNames } from '../../api/role-names.ts';
import { useSession } from '../../api/session.ts';
import type { Question } from '../../api/sign-in-again.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { PasswordForm } from '../password-form.tsx';
import { SingleSignOn } from '../single-sign-on.tsx';
import { askDesk } from './ask-desk.ts';
import { PasswordAgain } from './password-again.tsx';
import { useGoOn } from './use-go-on.ts';
import { useSignedInElsewhere } from './use-signed-in-elsewhere.ts';
import { useSingleSignOn } from './use-single-sign-on.ts';
import styles from './sign-in-over.module.css';

/** The session is over: asks for the password over the page, and lets what was under way go on. */
export function SignInOver(props: { question: Question; onSomebodyElse: () => void }) {
  const session = useSession();
  return session ? <Asking {...props} former={session} /> : null;
}

function Asking(props: { question: Question; onSomebodyElse: () => void; former: Session }) {
  const { former } = props;
  const { goOn, cancel } = useGoOn(props);
  const [oneTime, setOneTime] = useState<string | null>(null);
  const singleSignOn = useSingleSignOn() || !former.canChangePassword;
  const form = useId();
  const [busy, setBusy] = useState(false);

  function enter(session: Session, password: string): void {
    // Only then can anything go on.
    if (session.mustChangePassword && session.staff.name === former.staff.name) setOneTime(password);
    else goOn(session);
  }
  useSignedInElsewhere((session) => enter(session, ''));

  if (oneTime !== null)
    return (
      <Dialog
        key="one-time"
        title="Choose a password of your own"
        onClose={cancel}
        actions={<Button onClick={cancel}>Cancel</Button>}
      >
        <p>You signed in with a one-time password that somebody else has seen. Replace it to go on.</p>
        <PasswordForm
          name={former.staff.name}
          oneTime
          known={oneTime}
          onSave={async (body) => goOn((await askDesk.changePassword({ body })).data)}
        />
      </Dialog>
    );
  return (
    <Dialog
      key="again"
      title="Sign in again"
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          {former.canChangePassword && (
            <Button type="submit" form={form} look="primary" busy={busy}>
              {busy ? 'Signing in…' : 'Sign in'}
            </Button>
          )}
        </>
      }
    >
      <p>
        Your session is over. Once you have signed in, what you were doing goes on. Nothing you typed is lost.
      </p>
      <p className={styles.who}>
        <strong>{former.staff.name}</strong> {roleNames[former.staff.role]}
      </p>
      {former.canChangePassword && (
        <PasswordAgain id={form} name={former.staff.name} onBusy={setBusy} onSignedIn={enter} />
      )}
      {singleSignOn && (
        <SingleSignOn
          returnTo="/signed-in"
          apart={former.canChangePassword}
          newTab="It opens in a new tab. This one goes on as soon as you are back here."
        />
      )}
    </Dialog>
  );
}
