import { useCallback, useState, type ReactNode } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Brand } from '../components/brand.tsx';
import { useLate } from '../components/use-lazy-module.ts';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import type { OverlayName } from './overlay-name.ts';
import { Places } from './main-navigation.tsx';
import { useQuestion } from '../auth/reauthentication/use-question.ts';
import { useEverywhere } from './use-everywhere.ts';
import { useTypedAhead } from './use-typed-ahead.ts';
import { Waiting } from './waiting.tsx';
import styles from './layout.module.css';

const loadPassword = () => import('../auth/password-page.tsx');
const loadOverlays = () => import('./overlays.tsx');

/** The frame of every screen but sign-in: where one can go, who one is, and the screen itself. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  const session = useSession();
  const question = useQuestion();
  // With a one-time password there is only one screen, whatever the address says.
  const barred = (session?.mustChangePassword ?? false) && !question;
  // Counts the people who took over this page from one another; each finds a page of their own.
  const [visit, setVisit] = useState(0);
  const [open, setOpened] = useState<OverlayName | null>(null);
  const [typed, setTyped] = useState('');
  const setOpen = (name: OverlayName | null) => {
    setTyped('');
    setOpened(name);
  };
  const [isNear, setNear] = useState(false);
  const late = useLate(loadOverlays, isNear || (open ?? question) !== null, () => {
    setNear(false);
    setOpen(null);
    question?.answer(false);
  });
  const addTyped = useCallback((character: string) => setTyped((before) => before + character), []);
  const password = useLate(loadPassword, barred);
  useTypedAhead(open === 'palette' && !late, addTyped);
  useEverywhere({ barred, onOpen: setOpen });
  return (
    <div className={styles.layout} data-opening={(open && !late) || undefined}>
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
        <Account onNear={() => setNear(true)}>{late && <late.AccountMenu onOpen={setOpen} />}</Account>
      </header>
      <main key={visit} id="main" className={styles.main} tabIndex={-1}>
        <Connection />
        {barred ? password && <password.PasswordPage /> : children}
      </main>
      {late && (
        <late.Overlays
          open={open}
          typed={typed}
          onOpen={setOpen}
          question={question}
          onSomebodyElse={() => setVisit(visit + 1)}
        />
      )}
    </div>
  );
}
