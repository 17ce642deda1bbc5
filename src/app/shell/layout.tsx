import type { ReactNode } from 'react';
import { Link, Outlet } from '@tanstack/react-router';
import { Brand } from '../ui/brand.tsx';
import { Icon } from '../ui/icon.tsx';
import { Account } from './account.tsx';
import styles from './layout.module.css';

/** The frame of every screen but sign-in: where one can go, who one is, and the screen itself. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.side}>
        <div className={styles.brand}>
          <Brand size={22} />
          <span>Subscriber Desk</span>
        </div>
        <nav aria-label="Main">
          <Link to="/subscribers" className={styles.place ?? ''} activeOptions={{ includeSearch: false }}>
            <Icon name="people" />
            <span>Subscribers</span>
          </Link>
        </nav>
        <Account />
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
