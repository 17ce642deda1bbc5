import { useCallback, useEffect, useId, useState, type ReactNode } from 'react';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { watchedJobs } from '../bulk/watched-jobs.ts';
import { tellTabs } from '../api/queries.ts';
import {
  roleNames,
  SessionProvider,
  useReauthenticationPrompt,
  useSession,
  usePermission,
} from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { Brand, Icon } from '../components/icon.tsx';
import { usePreference } from '../components/preference.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { Connection } from './connection.tsx';
import { Waiting } from './waiting.tsx';
import styles from './layout.module.css';
import { useShortcuts } from '../components/shortcuts.tsx';
import { toReturn } from '../subscriber/list-address.ts';

const loadBarred = () => import('./barred-page.tsx');
const loadOverlays = () => import('./overlays.tsx');
const loadRunningJobs = () => import('./running-jobs.tsx');
/** The dialog to sign in again. If this fails, it is loaded when it is needed. */
const loadSignIn = () =>
  void loadOverlays()
    .then((overlays) => overlays.loadSignIn())
    .catch(() => undefined);

/** The main pages, in the order of the navigation. */
const mainPages = [
  { name: 'Overview', to: '/overview', icon: 'overview', needs: null },
  { name: 'Subscribers', to: '/subscribers', icon: 'people', needs: null },
  { name: 'Activity', to: '/activity', icon: 'activity', needs: null },
  { name: 'Jobs', to: '/jobs', icon: 'jobs', needs: 'runJobs' },
  { name: 'Messages', to: '/messages', icon: 'message', needs: 'manageMessages' },
  { name: 'Bundles', to: '/bundles', icon: 'bundles', needs: 'saveBundles' },
  { name: 'Staff', to: '/staff', icon: 'staff', needs: 'listStaff' },
] as const;

/** The frame of every page but sign-in: main navigation, account and the page itself. */
export const Layout = ({ children = <Outlet /> }: { children?: ReactNode }) => (
  <SessionProvider>
    <Frame>{children}</Frame>
  </SessionProvider>
);

function Frame({ children }: { children: ReactNode }) {
  const { productName } = useApp();
  const session = useSession();
  const staffId = session?.staff.id;
  useEffect(() => {
    if (staffId !== undefined) tellTabs(staffId);
  }, [staffId]);
  const prompt = useReauthenticationPrompt();
  // Until a one-time password is replaced, then a second factor is set up, every address shows the page for it.
  const [barred, setBarred] = useState(false);
  const isBarred = session?.can.length === 0;
  // Below the dialog to sign in again the page stays, with a form or what was being set up.
  if (!prompt && barred !== isBarred) setBarred(isBarred);
  // When another user signs in, the page is rendered from the start.
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
  // While there is a server that has its file. With a newer release it would be missing, and what was typed would be lost.
  useEffect(() => {
    document.addEventListener('input', loadSignIn, { once: true });
    return () => document.removeEventListener('input', loadSignIn);
  }, []);
  const addTyped = useCallback((character: string) => setTyped((before) => before + character), []);
  const instead = useLazyModule(loadBarred, barred);
  useTypedAhead(open === 'palette' && !overlays, addTyped);
  useGlobalShortcuts(barred, setOpen);
  return (
    <div className={styles.layout} data-opening={(open && !overlays) || undefined}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Waiting />
      <header className={styles.side}>
        <div className={styles.brand}>
          <Brand size={22} />
          <span>{productName}</span>
        </div>
        {!barred && <MainNavigation />}
        <Account onNear={() => setNear(true)}>
          {overlays && <overlays.AccountMenu onOpen={setOpen} />}
        </Account>
      </header>
      <main key={userChanges} id="main" className={styles.main} tabIndex={-1}>
        <Connection />
        {barred ? instead && <instead.BarredPage /> : children}
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

/** Links to the main pages; each role sees only those that it may open. */
function MainNavigation() {
  const can = useSession()?.can;
  return (
    <nav aria-label="Main" className={`stack ${styles.navigation}`}>
      {mainPages.map(({ name, to, icon, needs }) =>
        needs && !can?.includes(needs) ? null : (
          <Link
            key={to}
            to={to}
            className={styles.link ?? ''}
            activeOptions={{ includeSearch: to === '/overview' }}
          >
            <Icon name={icon} />
            <span>{name}</span>
            {to === '/jobs' && <JobsAtWork />}
          </Link>
        ),
      )}
    </nav>
  );
}

/** Reads the running jobs only where a job is known of: on its pages, and after somebody has started one here. */
function JobsAtWork() {
  const isWatching = usePreference(watchedJobs) !== '';
  const isOnPage = useLocation({ select: ({ pathname }) => pathname.startsWith('/jobs') });
  const running = useLazyModule(loadRunningJobs, isWatching || isOnPage);
  return running && <running.RunningJobs />;
}

/**
 * Shows who is signed in, and opens the account menu.
 *
 * @param onNear called when the pointer or the focus comes near, before the menu opens
 */
function Account({ onNear, children }: { onNear: () => void; children: ReactNode }) {
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
          <span className="muted">
            {session && roleNames[session.staff.role]}
            {session?.staff.singleSignOn && ' · single sign-on'}
          </span>
        </span>
      </button>
      <div id={menu} popover="auto" className={styles.menu}>
        {children}
      </div>
    </div>
  );
}

/** Catches what the user types while the palette is still loading; Enter is a line feed. */
function useTypedAhead(waiting: boolean, onType: (character: string) => void): void {
  useEffect(() => {
    if (!waiting) return;
    const keep = (event: KeyboardEvent) => {
      const character = event.key === 'Enter' ? '\n' : event.key;
      if (character.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onType(character);
    };
    document.addEventListener('keydown', keep, true);
    return () => document.removeEventListener('keydown', keep, true);
  }, [waiting, onType]);
}

/** The overlays that can be opened on every page. */
export type OverlayName = 'help' | 'palette';

/** The shortcuts that work on every page. */
function useGlobalShortcuts(barred: boolean, onOpen: (overlay: OverlayName) => void): void {
  const { toasts, searchRef } = useApp();
  const navigate = useNavigate();
  const { allowed, reason } = usePermission('createSubscriber');

  async function find(): Promise<void> {
    // The box cannot take the focus on another page, or on a narrow screen behind the pane.
    if (!focusFindBox()) await navigate({ to: '/subscribers', search: true });
    focusFindBox();
  }

  function focusFindBox(): boolean {
    const box = searchRef.current;
    box?.focus();
    box?.select();
    return box !== null && document.activeElement === box;
  }

  useShortcuts({
    find: () => {
      if (!barred) void find();
    },
    create: () => {
      if (reason !== undefined) toasts.show('bad', reason);
      else if (allowed && !barred) void navigate({ to: '/subscribers/new', search: true, state: toReturn });
    },
    help: () => onOpen('help'),
    palette: () => {
      if (!barred) onOpen('palette');
    },
  });
}
