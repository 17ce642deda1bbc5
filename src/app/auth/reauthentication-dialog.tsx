import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { bffApi } from '../../contract/bff/api.ts';
import { Credentials } from '../../contract/bff/credentials.ts';
import type { Session } from '../../contract/bff/session.ts';
import { ApiError, createClient } from '../../contract/http/client.ts';
import { useApi } from '../api/api.ts';
import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import { roleNames, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { describeError } from '../api/errors.ts';
import { Notice } from '../components/notice.tsx';
import { PersonName } from '../components/person-name.tsx';
import { oneTimeTexts, PasswordForm } from './password-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { CurrentPasswordField, SingleSignOnLink, useCodeField, withoutCode } from './sign-in-parts.tsx';
import { useResume } from './use-resume.ts';
import styles from './reauthentication-dialog.module.css';

interface DialogProps {
  prompt: ReauthenticationPrompt;
  /** Called when another user has signed in. */
  onOtherUser: () => void;
}

/** When the session has ended, asks for the password over the page. Then the user continues where they were. */
export function ReauthenticationDialog(props: DialogProps) {
  const session = useSession();
  return session ? <SignInAgain {...props} former={session} /> : null;
}

function SignInAgain(props: DialogProps & { former: Session }) {
  const { former } = props;
  const bff = useDirectClient();
  const { resume, cancel } = useResume(props);
  const [mustChoose, setMustChoose] = useState(false);
  const ways = useSignInWays();
  const singleSignOn = ways.singleSignOn || !former.canChangePassword;
  const offersPasskey = ways.passkeys && former.canChangePassword;
  const [passkeyFailure, setPasskeyFailure] = useState<Error | null>(null);
  const form = useId();
  const [busy, setBusy] = useState(false);

  function enter(session: Session): void {
    // With a one-time password nothing else is allowed until it is changed.
    if (session.mustChangePassword && session.staff.id === former.staff.id) setMustChoose(true);
    else resume(session);
  }
  useSignedInElsewhere(enter);

  if (mustChoose)
    return (
      <Dialog
        key="one-time"
        title={oneTimeTexts.title}
        onClose={cancel}
        actions={<Button onClick={cancel}>Cancel</Button>}
      >
        <p>{oneTimeTexts.reason}</p>
        <PasswordForm
          name={former.staff.name}
          oneTime
          onSave={async (body) => resume((await bff.changePassword({ body })).data)}
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
      <p>Your session has ended. Sign in to continue. Nothing you entered is lost.</p>
      <p className={styles.user}>
        <strong>
          <PersonName person={former.staff} />
        </strong>{' '}
        {roleNames[former.staff.role]}
      </p>
      {former.canChangePassword && (
        <PasswordAgain id={form} name={former.staff.name} onBusy={setBusy} onSignedIn={enter} />
      )}
      {offersPasskey && (
        <>
          <div role="alert">
            {passkeyFailure && <Notice tone="bad">{describeError(passkeyFailure)}</Notice>}
          </div>
          <PasskeyButton
            label="Sign in with a passkey"
            bff={bff}
            onAnswer={async (body) => enter((await bff.signInWithPasskey({ body })).data)}
            onFailure={setPasskeyFailure}
          />
        </>
      )}
      {singleSignOn && (
        <SingleSignOnLink
          returnTo="/signed-in"
          withDivider={former.canChangePassword}
          newTab="Opens in a new tab. Come back to this tab to continue."
        />
      )}
    </Dialog>
  );
}

/** Asks for the password of the user whose session has ended. */
function PasswordAgain(props: {
  /** Of the form, for its button outside. */
  id: string;
  name: string;
  onBusy: (busy: boolean) => void;
  onSignedIn: (session: Session) => void;
}) {
  const bff = useDirectClient();
  const form = useForm<Credentials>({
    resolver: zodResolver(Credentials),
    defaultValues: { name: props.name, password: '' },
  });
  const code = useCodeField(form);
  const [failure, setFailure] = useState<string | null>(null);

  async function signIn(body: Credentials): Promise<void> {
    setFailure(null);
    props.onBusy(true);
    try {
      props.onSignedIn((await bff.signIn({ body })).data);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (code.isAbout(error)) return code.ask(error);
      const isWrong = error instanceof ApiError && error.code === 'wrong-password';
      // The name is given, so the sentence of the problem would ask to check too much.
      setFailure(isWrong ? 'The password is wrong. Check it and try again.' : describeError(error));
      form.setFocus('password', { shouldSelect: true });
    } finally {
      props.onBusy(false);
    }
  }

  return (
    <form
      id={props.id}
      className={styles.form}
      noValidate
      onSubmit={(event) => void form.handleSubmit(signIn)(event)}
    >
      <div role="alert">{failure && <Notice tone="bad">{failure}</Notice>}</div>
      {/* Password managers look for the name of the account. */}
      <input type="text" autoComplete="username" value={props.name} readOnly hidden />
      <CurrentPasswordField
        registration={form.register('password')}
        error={form.formState.errors.password?.message}
      />
      {code.field}
      {code.hasPasskey && (
        <PasskeyButton
          label="Use a passkey"
          bff={bff}
          onAnswer={(passkey) => signIn({ ...withoutCode(form.getValues()), passkey })}
          onFailure={(error) => setFailure(error && describeError(error))}
        />
      )}
    </form>
  );
}

/** A client for this dialog. The requests of all others wait until it is closed. */
function useDirectClient() {
  const { bffOptions } = useApi();
  const [client] = useState(() => createClient(bffApi, { ...bffOptions, around: undefined }));
  return client;
}

/** The ways to sign in besides the password; none until the BFF has answered. */
function useSignInWays() {
  const bff = useDirectClient();
  const [ways, setWays] = useState({ singleSignOn: false, passkeys: false });
  useEffect(() => {
    bff.getSignInWays({}).then(
      ({ data }) => setWays(data),
      // The password works without it.
      () => undefined,
    );
  }, [bff]);
  return ways;
}

/** Checks for a new session whenever the user returns to this tab: they may have signed in in another one. */
function useSignedInElsewhere(onSession: (session: Session) => void): void {
  const bff = useDirectClient();
  const tell = useEffectEvent(onSession);
  useEffect(() => {
    let isMounted = true;
    const check = () => {
      if (document.visibilityState === 'hidden') return;
      bff.getSession({}).then(
        ({ data }) => isMounted && tell(data),
        // Not signed in yet, or the BFF does not answer: the dialog stays.
        () => undefined,
      );
    };
    window.addEventListener('focus', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      isMounted = false;
      window.removeEventListener('focus', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [bff]);
}
