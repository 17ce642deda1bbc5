import { Link } from '@tanstack/react-router';
import { usePermission } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import styles from './layout.module.css';

/** Where one can go; what is not for a role is not offered to it. */
export function Places() {
  const staff = usePermission('listStaff');
  return (
    <nav aria-label="Main" className={styles.places}>
      <Link to="/subscribers" className={styles.place ?? ''} activeOptions={{ includeSearch: false }}>
        <Icon name="people" />
        <span>Subscribers</span>
      </Link>
      <Link to="/activity" className={styles.place ?? ''} activeOptions={{ includeSearch: false }}>
        <Icon name="activity" />
        <span>Activity</span>
      </Link>
      {staff.allowed && (
        <Link to="/staff" className={styles.place ?? ''}>
          <Icon name="staff" />
          <span>Staff</span>
        </Link>
      )}
    </nav>
  );
}
