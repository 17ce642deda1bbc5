import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Brand } from '../ui/brand.tsx';
import { useLate } from '../ui/use-late.ts';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import { Places } from './places.tsx';
import { useQuestion } from '../session/over/use-question.ts';
import { useEverywhere } from './use-everywhere.ts';
import { Waiting } from './waiting.tsx';
import styles from './layout.module.css';

const PasswordPage = lazy(async () => {
  const { PasswordPage: page } = await import('../session/password-page.tsx');
  return { default: page };
});

const loadHelp = () => import('./shortcuts-dialog.tsx');
const loadSignIn = () => import('../session/over/sign-in-over.tsx');

/** The frame of every screen but sign-in: where one can go, who one is, and the screen itself. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  const session = useSession();
  // With a one-time password there is only one screen, whatever the address says.
  const [asking, setAsking] = useState(false);
  const help = useLate(loadHelp, asking, () => setAsking(false));
  const question = useQuestion();
  const signIn = useLate(loadSignIn, question !== null, () => question?.answer(false));
  const barred = (session?.mustChangePassword ?? false) && !question;
  // Counts the people who took over this page from one another; each finds a page of their own.
  const [visit, setVisit] = useState(0);
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
      <main key={visit} id="main" className={styles.main} tabIndex={-1}>
        <Connection />
        {barred ? (
          <Suspense>
            <PasswordPage />
          </Suspense>
        ) : (
          children
        )}
      </main>
      {question && signIn && (
        <signIn.SignInOver question={question} onSomebodyElse={() => setVisit(visit + 1)} />
      )}
      {asking && help && <help.ShortcutsDialog onClose={() => setAsking(false)} />}
    </div>
  );
}
