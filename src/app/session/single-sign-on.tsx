import { navigations } from '../../contract/single-sign-on.ts';
import { buttonClass } from '../ui/button.tsx';
import styles from './sign-in-page.module.css';

/** The other way in: a link, because it leaves the page for the company's own. */
export function SingleSignOn({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p className={styles.or}>or</p>
      <a
        className={buttonClass()}
        href={`${navigations.startSingleSignOn.path}?${new URLSearchParams({ to: returnTo })}`}
      >
        Sign in with single sign-on
      </a>
    </>
  );
}
