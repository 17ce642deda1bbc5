import { useId, type ReactNode } from 'react';
import { roleNames } from '../api/role-names.ts';
import { useSession } from '../api/session.ts';
import styles from './account.module.css';

/**
 * Who is signed in; behind it the way out and the look of the page.
 *
 * @param onNear called when somebody is about to open it
 */
export function Account({ onNear, children }: { onNear: () => void; children: ReactNode }) {
  const session = useSession();
  const menu = useId();
  return (
    <div className={styles.account}>
      <button
        type="button"
        className={styles.opener}
        popoverTarget={menu}
        onPointerEnter={onNear}
        onFocus={onNear}
      >
        <span className="visually-hidden">Account: </span>
        <span className={styles.initial} aria-hidden="true">
          {session?.staff.name.slice(0, 1).toUpperCase()}
        </span>
        <span className={styles.who}>
          <span className={styles.name}>{session?.staff.name}</span>{' '}
          <span className={styles.role}>{session && roleNames[session.staff.role]}</span>
        </span>
      </button>
      <div id={menu} popover="auto" className={styles.menu}>
        {children}
      </div>
    </div>
  );
}
