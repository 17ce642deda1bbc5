import type { MouseEvent } from 'react';
import { Link } from '@tanstack/react-router';
import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { PopoverItem } from '../components/popover-item.tsx';
import { usePreference } from '../components/preference.ts';
import { Select } from '../components/select.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { Palette } from './palette/palette.tsx';
import { CharacterKeys, ShortcutsDialog } from './shortcuts-dialog.tsx';
import { chooseTheme, themeNames } from './choose-theme.ts';
import { theme, themes } from './theme.ts';
import type { OverlayName } from './use-global-shortcuts.ts';
import { useSignOut } from './use-sign-out.ts';

// The layout loads this file when one of its parts is first needed.

export const loadSignIn = () => import('../auth/reauthentication-dialog.tsx');

/** The dialogs over the page: palette, shortcuts, signing in again. */
export function Overlays(props: {
  open: OverlayName | null;
  /** Text that the user typed before this code was loaded; Enter is a line feed. */
  typed: string;
  onOpen: (name: OverlayName | null) => void;
  prompt: ReauthenticationPrompt | null;
  onOtherUser: () => void;
}) {
  const { open, onOpen, prompt } = props;
  const signIn = useLazyModule(loadSignIn, prompt !== null, () => prompt?.finish(false));
  const onClose = () => onOpen(null);
  return (
    <>
      {open === 'help' && <ShortcutsDialog onClose={onClose} />}
      {open === 'palette' && <Palette typed={props.typed} onClose={onClose} onHelp={() => onOpen('help')} />}
      {prompt && signIn && <signIn.ReauthenticationDialog prompt={prompt} onOtherUser={props.onOtherUser} />}
    </>
  );
}

/** Theme, single-key shortcuts, commands, password and sign-out. */
export function AccountMenu({ onOpen }: { onOpen: (overlay: OverlayName) => void }) {
  const session = useSession();
  // Nothing is allowed until the password is replaced or a second factor is set up.
  const isBarred = session?.can.length === 0;
  const { leave, isLeaving } = useSignOut();
  return (
    <>
      <Select
        aria-label="Theme"
        value={usePreference(theme)}
        options={themes.map((value) => ({ value, label: themeNames[value] }))}
        onChange={(event) => chooseTheme(themes.find((name) => name === event.target.value) ?? 'system')}
      />
      <CharacterKeys />
      {!isBarred && (
        <PopoverItem variant="plain" onPick={() => onOpen('palette')}>
          Commands…
        </PopoverItem>
      )}
      <PopoverItem variant="plain" onPick={() => onOpen('help')}>
        Keyboard shortcuts
      </PopoverItem>
      {!isBarred && (
        <Link to="/account" className={buttonClass()} onClick={closeMenu}>
          My account
        </Link>
      )}
      {session?.canSignOut && (
        <>
          {session.canChangePassword && !isBarred && (
            <Link to="/password" className={buttonClass()} onClick={closeMenu}>
              Change password
            </Link>
          )}
          <Button busy={isLeaving} onClick={leave}>
            Sign out
          </Button>
        </>
      )}
    </>
  );
}

function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}
