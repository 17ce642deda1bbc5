import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Credentials } from '../../contract/bff/password.ts';
import type { Session } from '../../contract/bff/session.ts';
import { navigations } from '../../contract/bff/single-sign-on.ts';
import { ApiError, type Reply } from '../../contract/http/client.ts';
import type { FullClient } from '../api/client.ts';
import { describeError } from '../api/errors.ts';
import { askForPasskey, hasPasskeySupport } from '../api/passkeys.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { CheckBox, InputField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './sign-in-page.module.css';

interface SignInOptions {
  bff: Pick<FullClient, 'signIn' | 'signInWithPasskey' | 'getPasskeyRequest'>;
  /** The account's name, where it is known; else a field asks for it. */
  name?: string;
  /** The failure of an earlier attempt. */
  failure?: string | null;
  onSignedIn: (session: Session) => void | Promise<void>;
}

/**
 * A sign-in by password or passkey: its fields, and what goes wrong. The field for a code is there once the BFF has asked
 * for one: who has none never sees it. What was typed besides stays.
 */
export function useSignIn({ bff, name, failure: before = null, onSignedIn }: SignInOptions) {
  const form = useForm<Credentials>({
    resolver: zodResolver(Credentials),
    defaultValues: { name: name ?? '', password: '' },
  });
  const { setFocus } = form;
  const [failure, setFailure] = useState(before ?? (navigator.cookieEnabled ? null : cookiesBlocked));
  const [busy, setBusy] = useState<'form' | 'passkey' | null>(null);
  const [needsCode, setNeedsCode] = useState(false);
  const [takesPasskey, setTakesPasskey] = useState(false);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (needsCode) setFocus('code');
  }, [needsCode, setFocus]);

  async function send(way: 'form' | 'passkey', request: () => Promise<Reply<Session>>): Promise<void> {
    setFailure(null);
    setBusy(way);
    try {
      await onSignedIn((await request()).data);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const code = error instanceof ApiError ? error.code : null;
      if (error instanceof ApiError && code === 'code-needed') {
        setNeedsCode(true);
        setTakesPasskey(error.fields['passkey'] !== undefined);
        if (needsCode) refuseCode('Enter the code.');
      } else if (code === 'wrong-code') refuseCode(describeError(error));
      else {
        // Where the name is given, the sentence of the problem would ask to check too much.
        const isGiven = name !== undefined && code === 'wrong-password';
        setFailure(isGiven ? 'The password is wrong. Check it and try again.' : describeError(error));
        if (way === 'form') setFocus('password', { shouldSelect: true });
      }
    } finally {
      setBusy(null);
    }
  }

  const refuseCode = (message: string) =>
    form.setError('code', { type: 'bff', message }, { shouldFocus: true });
  const readPasskey = async () => askForPasskey((await bff.getPasskeyRequest({})).data);
  const passkeyButton = (label: string, request: () => Promise<Reply<Session>>) =>
    hasPasskeySupport() && (
      <Button busy={busy === 'passkey'} onClick={() => void send('passkey', request)}>
        {label}
      </Button>
    );

  return {
    submit: () => void form.handleSubmit((body) => send('form', () => bff.signIn({ body })))(),
    isBusy: busy === 'form',
    setFocus,
    alert: <div role="alert">{failure && <Notice tone="bad">{failure}</Notice>}</div>,
    fields: (
      <>
        {name === undefined ? (
          <InputField form={form} name="name" label="Name" {...nameInput} />
        ) : (
          // Password managers look for the name of the account.
          <input type="text" autoComplete="username" value={name} readOnly hidden />
        )}
        <InputField
          form={form}
          name="password"
          label="Password"
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
        />
        <CheckBox checked={isShown} onChange={(event) => setShown(event.target.checked)}>
          Show password
        </CheckBox>
        {needsCode && (
          <InputField
            form={form}
            name="code"
            label="Code"
            hint="The six digits that your authenticator app shows, or one of your recovery codes."
            // Without one, the BFF says whether this account needs one: the name may have been changed.
            register={{ setValueAs: (typed: string) => typed.trim() || undefined }}
            // Not `numeric`: recovery codes have letters.
            inputMode="text"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        {needsCode &&
          takesPasskey &&
          passkeyButton('Use a passkey', async () => {
            const { name: typed, password } = form.getValues();
            return bff.signIn({ body: { name: typed, password, passkey: await readPasskey() } });
          })}
      </>
    ),
    /** The button for a passkey alone. */
    passkeyAlone: passkeyButton('Sign in with a passkey', async () =>
      bff.signInWithPasskey({ body: await readPasskey() }),
    ),
  };
}

const cookiesBlocked =
  'Your browser blocks cookies, which signing in needs. Allow them for this page, and load it again.';

const nameInput = { autoComplete: 'username', autoCapitalize: 'none', spellCheck: false };

/** The line between the password and what works without one. */
export const Or = () => <p className={styles.or}>or</p>;

/**
 * A link to the company's own sign-in page.
 *
 * @param props.newTab a hint; with it the link opens in a new tab, so that this page keeps what was typed
 * @param props.again asks for a new sign-in there
 */
export function SingleSignOnLink(props: { returnTo: string; newTab?: ReactNode; again?: boolean }) {
  const { returnTo, newTab, again = false } = props;
  const hint = useId();
  const query = new URLSearchParams({ to: returnTo, ...(again && { again: 'true' }) });
  return (
    <>
      <a
        className={buttonClass()}
        href={`${navigations.startSingleSignOn.path}?${query}`}
        target={newTab ? '_blank' : undefined}
        aria-describedby={newTab ? hint : undefined}
      >
        Sign in with single sign-on
      </a>
      {newTab && <p id={hint}>{newTab}</p>}
    </>
  );
}
