import { useEffect, useEffectEvent } from 'react';
import { createPreference } from './preference.ts';

interface Shortcut {
  /** As `KeyboardEvent.key` names them; each of them works. `Control+` also means ⌘, and works while the user types. */
  keys: readonly string[];
  does: string;
  /** Repeats while the key is held down. */
  repeats?: true;
}

/** Every keyboard shortcut: this table binds the keys, and the shortcuts dialog lists them. */
export const shortcuts = {
  find: { keys: ['/'], does: 'Go to the find box' },
  create: { keys: ['n'], does: 'Create a new one' },
  next: { keys: ['j', 'ArrowDown'], does: 'Next row, or next one in the pane', repeats: true },
  previous: { keys: ['k', 'ArrowUp'], does: 'Previous row, or previous one in the pane', repeats: true },
  open: { keys: ['Enter'], does: 'Open the row' },
  edit: { keys: ['e'], does: 'Edit the row, or what the pane shows' },
  select: { keys: ['x'], does: 'Select the row' },
  close: { keys: ['Escape'], does: 'Close the pane or a dialog' },
  palette: { keys: ['Control+k'], does: 'Find a command or a subscriber' },
  help: { keys: ['?'], does: 'Show these shortcuts' },
} as const satisfies Record<string, Shortcut>;
type Name = keyof typeof shortcuts;

/** The shortcuts that the page binds: Enter on a row’s link is the browser’s own. */
export type ShortcutName = Exclude<Name, 'open'>;

/** Off for those whose speech input or hand types a letter unasked (WCAG 2.1.4). Keys that type nothing stay. */
export const characterKeys = createPreference('character-keys', (kept) => kept !== 'false');

type Handlers = Partial<Record<ShortcutName, () => void>>;

/** Binds shortcuts while the component is mounted. If two components bind the same one, the first one mounted gets it. */
export function useShortcuts(handlers: Handlers): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const name = shortcutOf(event);
    if (!name || !(name in handlers)) return;
    // Also tells later listeners that this key is handled.
    event.preventDefault();
    handlers[name]?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const typedInto = 'input:not(table input), select, textarea, [contenteditable]';

function shortcutOf(event: KeyboardEvent): ShortcutName | undefined {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const { target } = event;
  const control = event.ctrlKey || event.metaKey ? 'Control+' : '';
  if (!(target instanceof Element) || (!control && target.closest(typedInto))) return;
  // An overlay may be open or still loading.
  if (document.querySelector('dialog[open], [popover]:popover-open, [data-opening]')) return;
  const isCharacter = event.key.length === 1;
  if (isCharacter && !control && !characterKeys.get()) return;
  // A letter is meant without Shift, also with Caps Lock on; the position of `/` and `?` depends on the keyboard.
  const key = control + (isCharacter && !event.shiftKey ? event.key.toLowerCase() : event.key);
  if (key.startsWith('Arrow') && !movesRows(target)) return;
  for (const [name, shortcut] of Object.entries(shortcuts) as [Name, Shortcut][])
    if (shortcut.keys.includes(key) && (!event.repeat || shortcut.repeats) && name !== 'open') return name;
}

/** In a list, or where no control has the focus; elsewhere arrows scroll, as on every page. */
function movesRows(target: Element): boolean {
  return target.matches('body, h1, main') || target.closest('table') !== null;
}
