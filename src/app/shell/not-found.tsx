import { Link } from '@tanstack/react-router';
import { WindowTitle } from '../components/app-context.ts';
import { buttonClass } from '../components/button.tsx';
import { PageHeading } from '../components/page.tsx';
import styles from './dead-ends.module.css';

export function NotFound() {
  return (
    <div className={`stack ${styles.page}`}>
      <WindowTitle>Page not found</WindowTitle>
      <PageHeading>Page not found</PageHeading>
      <p className="muted">The link may be old or mistyped.</p>
      <Link to="/subscribers" className={buttonClass({ variant: 'primary' })}>
        Go to subscribers
      </Link>
    </div>
  );
}
