import type { Permission } from '../../contract/bff/permission.ts';
import { useSession } from '../api/session.ts';
import { CheckBox } from '../components/choices.tsx';
import { Detail } from '../components/detail.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Key } from '../components/key.tsx';
import { usePreference } from '../components/preference.ts';
import { characterKeys, nameOfKey, shortcuts } from '../components/shortcuts.ts';

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
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
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
export function CharacterKeys() {
  return (
    <CheckBox
      checked={usePreference(characterKeys)}
      onChange={(event) => characterKeys.set(event.target.checked)}
    >
      Single-key shortcuts
    </CheckBox>
  );
}
