import { useId } from 'react';
import { navigations } from '../../contract/bff/single-sign-on.ts';
import { buttonClass } from '../components/button.tsx';
import styles from './sign-in-page.module.css';

/**
 * The other way in: a link, because it leads to the company's own page.
 *
 * @param apart whether a first way stands above it
 * @param newTab what to say where it opens in a tab of its own, so that what is typed on this page stays
 */
export function SingleSignOn(props: { returnTo: string; apart?: boolean; newTab?: string }) {
  const { returnTo, apart = true, newTab } = props;
  const hint = useId();
  return (
    <>
      {apart && <p className={styles.or}>or</p>}
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
