import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import styles from './gone.module.css';

/** Shown for a subscriber that does not exist. */
export function Gone() {
  return (
    <div className={styles.gone} role="status">
      <h3>There is no such subscriber</h3>
      <p>It may have been deleted, or the link is mistyped.</p>
      <Link to="/subscribers" search={true} className={buttonClass()}>
        Back to the list
      </Link>
    </div>
  );
}
