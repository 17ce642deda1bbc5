import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import styles from './dead-ends.module.css';

export function NotFound() {
  return (
    <div className={styles.page}>
      <title>Nothing here · Subscriber Desk</title>
      <PageHeading>There is nothing at this address</PageHeading>
      <p>The link may be old or mistyped.</p>
      <Link to="/subscribers" className={buttonClass({ look: 'primary' })}>
        Go to the subscribers
      </Link>
    </div>
  );
}
