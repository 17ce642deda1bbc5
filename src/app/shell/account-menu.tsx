import type { MouseEvent } from 'react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { usePreference } from '../components/preference.ts';
import { CharacterKeys } from './shortcuts-dialog.tsx';
import { chooseTheme, theme, themeNames, themes } from './theme.ts';
import { useSignOut } from './use-sign-out.ts';
import type { OverlayName } from './use-global-shortcuts.ts';

/** The look of the page, its keys, and the way out. */
export function AccountMenu({ onOpen }: { onOpen: (overlay: OverlayName) => void }) {
  const session = useSession();
  return (
    <>
      <ThemeChoice />
      <CharacterKeys />
      {!session?.mustChangePassword && (
        <Button
          onClick={(event) => {
            closeMenu(event);
            onOpen('palette');
          }}
        >
          Commands…
        </Button>
      )}
      <Button
        onClick={(event) => {
          closeMenu(event);
          onOpen('help');
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
  const { leave, isLeaving } = useSignOut();
  return (
    <Button busy={isLeaving} onClick={leave}>
      Sign out
    </Button>
  );
}
