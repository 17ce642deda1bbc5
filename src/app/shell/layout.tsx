import { useCallback, useState, type ReactNode } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useReauthenticationPrompt, useSession } from '../api/session.ts';
import { Brand } from '../components/brand.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import { MainNavigation } from './main-navigation.tsx';
import { useGlobalShortcuts, type OverlayName } from './use-global-shortcuts.ts';
import { useTypedAhead } from './use-typed-ahead.ts';
import { Waiting } from './waiting.tsx';
import styles from './layout.module.css';

const loadPassword = () => import('../auth/password-page.tsx');
const loadOverlays = () => import('./overlays.tsx');

/** The frame of every screen but sign-in: where one can go, who one is, and the screen itself. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  const session = useSession();
  const prompt = useReauthenticationPrompt();
  // With a one-time password there is only one screen, whatever the address says.
  const barred = (session?.mustChangePassword ?? false) && !prompt;
  // The next user of this page gets a new one.
  const [userChanges, setUserChanges] = useState(0);
  const [open, setOpened] = useState<OverlayName | null>(null);
  const [typed, setTyped] = useState('');
  const setOpen = (name: OverlayName | null) => {
    setTyped('');
    setOpened(name);
  };
  const [isNear, setNear] = useState(false);
  const overlays = useLazyModule(loadOverlays, isNear || (open ?? prompt) !== null, () => {
    setNear(false);
    setOpen(null);
    prompt?.finish(false);
  });
  const addTyped = useCallback((character: string) => setTyped((before) => before + character), []);
  const password = useLazyModule(loadPassword, barred);
  useTypedAhead(open === 'palette' && !overlays, addTyped);
  useGlobalShortcuts({ barred, onOpen: setOpen });
  return (
    <div className={styles.layout} data-opening={(open && !overlays) || undefined}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Waiting />
      <header className={styles.side}>
        <div className={styles.brand}>
          <Brand size={22} />
          <span>Subscriber Desk</span>
        </div>
        {!barred && <MainNavigation />}
        <Account onNear={() => setNear(true)}>
          {overlays && <overlays.AccountMenu onOpen={setOpen} />}
        </Account>
      </header>
      <main key={userChanges} id="main" className={styles.main} tabIndex={-1}>
        <Connection />
        {barred ? password && <password.PasswordPage /> : children}
      </main>
      {overlays && (
        <overlays.Overlays
          open={open}
          typed={typed}
          onOpen={setOpen}
          prompt={prompt}
          onOtherUser={() => setUserChanges(userChanges + 1)}
        />
      )}
    </div>
  );
}
