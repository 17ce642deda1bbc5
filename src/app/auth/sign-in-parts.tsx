import { useEffect, useId, useState } from 'react';
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';
import type { Credentials } from '../../contract/bff/credentials.ts';
import { navigations } from '../../contract/bff/single-sign-on.ts';
import { ApiError } from '../../contract/http/client.ts';
import { buttonClass } from '../components/button.tsx';
import { describeError } from '../api/errors.ts';
import { Field, inputClass } from '../components/field.tsx';
import styles from './sign-in-page.module.css';

/** The field for the password of an account, marked for password managers. */
export function CurrentPasswordField(props: {
  registration: UseFormRegisterReturn;
  error: string | undefined;
}) {
  return (
    <Field label="Password" error={props.error}>
      {(parts) => (
        <input
          {...parts}
          {...props.registration}
          className={inputClass}
          type="password"
          autoComplete="current-password"
        />
      )}
    </Field>
  );
}

/**
 * The field for the second factor, which is there once the BFF has asked for a code: who has none never sees it. What
 * was typed besides stays.
 */
export function useCodeField({ register, setFocus, setError, formState }: UseFormReturn<Credentials>) {
  const [isAsked, setAsked] = useState(false);
  const [hasPasskey, setHasPasskey] = useState(false);
  useEffect(() => {
    if (isAsked) setFocus('code');
  }, [isAsked, setFocus]);
  return {
    /** Whether a sign-in failed because of the code. */
    isAbout: isAboutCode,
    /** Shows the field, with what is wrong with the code that was sent. */
    ask(error: Error): void {
      setAsked(true);
      if (isNeeded(error)) setHasPasskey(error.fields['passkey'] !== undefined);
      if (isAsked) {
        const message = isNeeded(error) ? 'Enter the code.' : describeError(error);
        setError('code', { type: 'bff', message }, { shouldFocus: true });
      }
    },
    /** Whether the account that asked for a code also takes a passkey. */
    hasPasskey: isAsked && hasPasskey,
    field: isAsked && (
      <Field
        label="Code"
        error={formState.errors.code?.message}
        hint="The six digits that your authenticator app shows, or one of your recovery codes."
      >
        {(parts) => (
          <input
            {...parts}
            // Without one, the BFF says whether this account needs one: the name may have been changed.
            {...register('code', { setValueAs: (typed: string) => typed.trim() || undefined })}
            className={inputClass}
            // Not `numeric`: recovery codes have letters.
            inputMode="text"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
    ),
  };
}

/** What is sent with a passkey instead of a code. */
export const withoutCode = ({ name, password }: Credentials): Credentials => ({ name, password });

const isNeeded = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code === 'code-needed';

const isAboutCode = (error: Error) =>
  isNeeded(error) || (error instanceof ApiError && error.code === 'wrong-code');

/**
 * A link to the company's own sign-in page.
 *
 * @param withDivider whether the password form is above it
 * @param newTab a hint; with it the link opens in a new tab, so that this page keeps what was typed
 */
export function SingleSignOnLink(props: { returnTo: string; withDivider?: boolean; newTab?: string }) {
  const { returnTo, withDivider = true, newTab } = props;
  const hint = useId();
  return (
    <>
      {withDivider && <p className={styles.or}>or</p>}
      <a
        className={buttonClass()}
        href={`${navigations.startSingleSignOn.path}?${new URLSearchParams({ to: returnTo })}`}
        target={newTab && '_blank'}
        aria-describedby={newTab && hint}
      >
        Sign in with single sign-on
      </a>
      {newTab && <p id={hint}>{newTab}</p>}
    </>
  );
}
