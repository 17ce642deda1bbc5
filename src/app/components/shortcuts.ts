import { useEffect, useEffectEvent } from 'react';
import { createPreference } from './preference.ts';

interface Shortcut {
  /** Alternatives, as in `KeyboardEvent.key`: a capital letter is one with Shift. `Control+` also means ⌘, and works while the user types. */
  keys: readonly string[];
  does: string;
  /** Repeats while the key is held down. */
  repeats?: true;
}

/** All keyboard shortcuts. This table binds the keys, and the shortcuts dialog lists it. */
export const shortcuts = {
  find: { keys: ['/'], does: 'Find subscribers' },
  create: { keys: ['n'], does: 'New subscriber' },
  export: { keys: ['E'], does: 'Export the list' },
  next: { keys: ['j', 'ArrowDown'], does: 'Next row or subscriber', repeats: true },
  previous: { keys: ['k', 'ArrowUp'], does: 'Previous row or subscriber', repeats: true },
  open: { keys: ['Enter'], does: 'Open the row' },
  edit: { keys: ['e'], does: 'Edit the row or the open subscriber' },
  select: { keys: ['x'], does: 'Select the row' },
  save: { keys: ['Control+Enter'], does: 'Save the form' },
  close: { keys: ['Escape'], does: 'Close the open subscriber or dialog' },
  palette: { keys: ['Control+k'], does: 'Find a command or a subscriber' },
  help: { keys: ['?'], does: 'Show keyboard shortcuts' },
} as const satisfies Record<string, Shortcut>;
type Name = keyof typeof shortcuts;

/** A key as it is shown. */
export const nameOfKey = (key: string): string => (/^[A-Z]$/.test(key) ? `⇧${key}` : key);

/** The shortcuts that the page binds. Enter on the link of a row is the browser's own. */
export type ShortcutName = Exclude<Name, 'open'>;

/** Users of speech input, or who hit keys by mistake, can turn off single characters (WCAG 2.1.4). */
export const characterKeys = createPreference('character-keys', (kept) => kept !== 'false');

type Handlers = Partial<Record<ShortcutName, () => void>>;

/** Binds shortcuts while the component is mounted. If two components bind the same one, the first mounted gets it. */
export function useShortcuts(handlers: Handlers): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const name = shortcutOf(event);
    if (!name || !(name in handlers)) return;
    // Later listeners skip a key that is handled.
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
  // Caps Lock makes no difference, and Shift matters only for signs: where `/` and `?` are depends on the keyboard.
  const key = control + (isCharacter && !event.shiftKey ? event.key.toLowerCase() : event.key);
  if (key.startsWith('Arrow') && !movesRows(target)) return;
  for (const [name, shortcut] of Object.entries(shortcuts) as [Name, Shortcut][])
    if (shortcut.keys.includes(key) && (!event.repeat || shortcut.repeats) && name !== 'open') return name;
}

/** Arrow keys move between rows in a list and in the pane beside it, or if no control has the focus. Elsewhere they scroll. */
function movesRows(target: Element): boolean {
  return target.matches('body, h1, main') || target.closest('table, aside') !== null;
}
