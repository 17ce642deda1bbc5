import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Brand } from '../ui/brand.tsx';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import { Places } from './places.tsx';
import { useEverywhere } from './use-everywhere.ts';
import { Waiting } from './waiting.tsx';
import styles from './layout.module.css';

const PasswordPage = lazy(async () => {
  const { PasswordPage: page } = await import('../session/password-page.tsx');
  return { default: page };
});

const ShortcutsDialog = lazy(async () => {
  const { ShortcutsDialog: dialog } = await import('./shortcuts-dialog.tsx');
  return { default: dialog };
});

/** The frame of every screen but sign-in: where one can go, who one is, and the screen itself. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  // With a one-time password there is only one screen, whatever the address says.
  const barred = useSession()?.mustChangePassword ?? false;
  const [asking, setAsking] = useState(false);
  useEverywhere({ barred, onHelp: () => setAsking(true) });
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Waiting />
      <header className={styles.side}>
        <div className={styles.brand}>
          <Brand size={22} />
          <span>Subscriber Desk</span>
        </div>
        {!barred && <Places />}
        <Account onShortcuts={() => setAsking(true)} />
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Connection />
        {barred ? (
          <Suspense>
            <PasswordPage />
          </Suspense>
        ) : (
          children
        )}
      </main>
      {asking && (
        <Suspense>
          <ShortcutsDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  );
}
