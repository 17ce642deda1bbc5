import type { MouseEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { tellLeaving } from '../api/leaving.ts';
import { signOut } from '../api/first-mutations.ts';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { reasonOf } from '../ui/failure.tsx';
import { clearToasts, showToast } from '../ui/toast.tsx';
import { usePreference } from '../ui/preference.ts';
import { CharacterKeys } from './character-keys.tsx';
import { chooseTheme, theme, themes } from './theme.ts';

const themeNames = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

/** The look of the page, its keys, and the way out. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const session = useSession();
  return (
    <>
      <ThemeChoice />
      <CharacterKeys />
      <Button
        onClick={(event) => {
          closeMenu(event);
          onShortcuts();
        }}
      >
        Keyboard shortcuts
      </Button>
      {session?.canSignOut && (
        <>
          {session.canChangePassword && !session.mustChangePassword && (
            <Link to="/password" className={buttonClass()} onClick={closeMenu}>
              Change password
            </Link>
          )}
          <SignOut />
        </>
      )}
    </>
  );
}

function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}

function ThemeChoice() {
  const chosen = usePreference(theme);
  return (
    <select
      aria-label="Theme"
      value={chosen}
      onChange={(event) => chooseTheme(themes.find((name) => name === event.target.value) ?? 'system')}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          {themeNames[name]}
        </option>
      ))}
    </select>
  );
}

function SignOut() {
  const router = useRouter();
  const cache = useQueryClient();
  const leaving = useMutation({
    ...signOut,
    onSuccess: ({ data: elsewhere }) => {
      cache.clear();
      clearToasts();
      tellLeaving('signed-out');
      // Or the next person at this screen would be let in by the session that is left there.
      if (elsewhere) location.assign(elsewhere.goOnTo);
    },
    onError: (error) => {
      showToast('bad', `You are still signed in. ${reasonOf(error)}`);
      router.history.back();
    },
  });

  async function leave(): Promise<void> {
    // The page is left first: what is not saved yet may have something to say to that.
    await router.navigate({ to: '/sign-in' });
    if (router.state.location.pathname === '/sign-in') leaving.mutate();
  }

  return (
    <Button busy={leaving.isPending} onClick={() => void leave()}>
      Sign out
    </Button>
  );
}
