import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { buttonClass } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { SecondFactors } from './second-factors.tsx';
import { Sessions } from './sessions.tsx';
import styles from './account-page.module.css';

/** The user's own sessions and ways to sign in. */
export function AccountPage() {
  return (
    <Page title="My account">
      <Sessions />
      <Password />
      <SecondFactors />
    </Page>
  );
}

function Password() {
  const session = useSession();
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="password">
      <h2 id="password">Password</h2>
      {session && !session.canChangePassword && (
        <p className="muted">
          {session.canSignOut
            ? 'You sign in with single sign-on. Change your password there.'
            : 'You didn’t need a password to sign in, so there’s none to change.'}
        </p>
      )}
      {session?.canChangePassword && (
        <>
          <p className="muted">When you change it, you’ll be signed out everywhere else.</p>
          <Link to="/password" search={{ from: '/account' }} className={buttonClass()}>
            Change password
          </Link>
        </>
      )}
    </section>
  );
}
