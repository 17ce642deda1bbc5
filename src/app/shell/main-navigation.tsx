import { Link } from '@tanstack/react-router';
import { usePermission } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import styles from './layout.module.css';

/** Links to the main pages; a role sees only those that it may open. */
export function MainNavigation() {
  const staff = usePermission('listStaff');
  return (
    <nav aria-label="Main" className={styles.navigation}>
      <Link to="/subscribers" className={styles.link ?? ''} activeOptions={{ includeSearch: false }}>
        <Icon name="people" />
        <span>Subscribers</span>
      </Link>
      <Link to="/activity" className={styles.link ?? ''} activeOptions={{ includeSearch: false }}>
        <Icon name="activity" />
        <span>Activity</span>
      </Link>
      {staff.allowed && (
        <Link to="/staff" className={styles.link ?? ''}>
          <Icon name="staff" />
          <span>Staff</span>
        </Link>
      )}
    </nav>
  );
}
