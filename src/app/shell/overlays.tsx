import type { MouseEvent } from 'react';
import { Link } from '@tanstack/react-router';
import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import { useSession } from '../api/session.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { PopoverItem } from '../components/popover.tsx';
import { usePreference } from '../components/preference.ts';
import { Select } from '../components/select.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { Palette } from './palette/palette.tsx';
import { chooseTheme, themeNames, theme, themes } from './theme.ts';
import type { OverlayName } from './layout.tsx';
import { useSignOut } from './use-sign-out.ts';
import type { Permission } from '../../contract/bff/permission.ts';
import { CheckBox } from '../components/field.tsx';
import { Detail } from '../components/detail.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Key, characterKeys, nameOfKey, shortcuts } from '../components/shortcuts.tsx';

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

// A no-break space, so that a line cannot end within it.
const control = 'Ctrl/⌘\u00A0';

/** Keys with a symbol or a shorter name. */
const names: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowRight: '→',
  ArrowLeft: '←',
  Escape: 'Esc',
  'Control+k': `${control}K`,
  'Control+Enter': `${control}Enter`,
};

/** Also what the page does not bind: Enter on the link of a row is the browser's own, and a row binds its own arrows. */
const keysOf = {
  ...shortcuts,
  open: { keys: ['Enter'] },
  values: { keys: ['ArrowRight', 'ArrowLeft'] },
} as const;
type AnyShortcut = keyof typeof keysOf;

/** The effect of each, and the permission without which it has none. */
const effects: Readonly<Record<AnyShortcut, { text: string; needs?: Permission }>> = {
  find: { text: 'Find subscribers' },
  create: { text: 'New subscriber', needs: 'createSubscriber' },
  export: { text: 'Export the list', needs: 'exportSubscribers' },
  next: { text: 'Next row or subscriber' },
  previous: { text: 'Previous row or subscriber' },
  open: { text: 'Open the row' },
  values: { text: 'Move along the row, to “Show all with …”' },
  edit: { text: 'Edit the row or the open subscriber', needs: 'updateSubscriber' },
  select: { text: 'Select the row', needs: 'runJobs' },
  note: { text: 'Add a note', needs: 'updateSubscriber' },
  extend: { text: 'Go to “Extend”', needs: 'updateSubscriber' },
  save: { text: 'Save the form' },
  close: { text: 'Close the open subscriber or dialog' },
  palette: { text: 'Find a command or a subscriber' },
  help: { text: 'Show keyboard shortcuts' },
};

/** Lists every shortcut that the user's role can use, from the table that binds them. */
function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const isAllowed = (name: AnyShortcut) => {
    const { needs } = effects[name];
    return needs === undefined || session?.can.includes(needs) === true;
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="stack">
        {(Object.keys(effects) as AnyShortcut[]).filter(isAllowed).map((name) => (
          <Detail
            key={name}
            name={
              <span className="row">
                {keysOf[name].keys.map((key) => (
                  <Key key={key}>{names[key] ?? nameOfKey(key)}</Key>
                ))}
              </span>
            }
          >
            {effects[name].text}
          </Detail>
        ))}
      </dl>
      <CharacterKeys />
      <p>
        Shortcuts are off while you type, except those with Ctrl/⌘. With single-key shortcuts off, arrow keys,
        Enter, Esc and those with Ctrl/⌘ still work.
      </p>
    </Dialog>
  );
}

/** Turns single-key shortcuts on and off. */
function CharacterKeys() {
  return (
    <CheckBox
      checked={usePreference(characterKeys)}
      onChange={(event) => characterKeys.set(event.target.checked)}
    >
      Single-key shortcuts
    </CheckBox>
  );
}
