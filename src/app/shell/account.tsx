import { useId, useState } from 'react';
import { roleNames } from '../api/role-names.ts';
import { useSession } from '../api/session.ts';
import { useLate } from '../ui/use-late.ts';
import styles from './account.module.css';

const loadMenu = () => import('./account-menu.tsx');

/** Who is signed in; behind it the way out and the look of the page. */
export function Account({ onShortcuts }: { onShortcuts: () => void }) {
  const session = useSession();
  const menu = useId();
  const [wanted, setWanted] = useState(false);
  const late = useLate(loadMenu, wanted, () => setWanted(false));
  return (
    <div className={styles.account}>
      <button
        type="button"
        className={styles.opener}
        popoverTarget={menu}
        onPointerEnter={() => setWanted(true)}
        onFocus={() => setWanted(true)}
        onClick={() => setWanted(true)}
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
        {late && <late.AccountMenu onShortcuts={onShortcuts} />}
      </div>
    </div>
  );
}
