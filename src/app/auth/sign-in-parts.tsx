import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { navigations } from '../../contract/bff/single-sign-on.ts';
import { ApiError } from '../../contract/http/client.ts';
import { buttonClass } from '../components/button.tsx';
import { counted } from '../components/count.ts';
import { reasonOf } from '../components/failure.tsx';
import { Field, inputClass } from '../components/field.tsx';
import styles from './sign-in-page.module.css';

/** The password of an account, as password managers know it. */
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
 * A link to single sign-on, which leads to the company's own page.
 *
 * @param withDivider whether the password form is above it
 * @param newTab what to say if it opens in a tab of its own, so that what was typed on this page stays
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

/**
 * Why signing in failed.
 *
 * @param wrongPassword what to say of a wrong password: no more than the screen already tells about the account
 */
export function describeSignInFailure(error: Error, wrongPassword: string): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (error.code === 'wrong-password') return wrongPassword;
  return describeRateLimit(error) ?? error.message;
}

/** How long to wait after too many wrong passwords; null for any other error. */
export function describeRateLimit(error: Error): string | null {
  if (!(error instanceof ApiError) || error.code !== 'too-many-attempts' || error.retryAfter === null)
    return null;
  return `Too many attempts. Try again in ${counted(Math.ceil(error.retryAfter / 60), 'minute')}.`;
}
