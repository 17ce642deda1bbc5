import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { navigations } from '../../contract/bff/single-sign-on.ts';
import { buttonClass } from '../components/button.tsx';
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
