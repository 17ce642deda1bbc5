import { Link } from '@tanstack/react-router';
import { Brand } from '../components/brand.tsx';
import { buttonClass } from '../components/button.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import styles from './sign-in-page.module.css';

/** The end of signing in for another tab, which goes on by itself. */
export function SignedInPage() {
  return (
    <main className={styles.page}>
      <title>Signed in · Subscriber Desk</title>
      <div className={styles.card}>
        <Brand size={36} />
        <PageHeading>You are signed in</PageHeading>
        <p>Close this tab. The one that you came from goes on as soon as you are back.</p>
        <Link to="/subscribers" className={buttonClass()}>
          Go to the subscribers here
        </Link>
      </div>
    </main>
  );
}
