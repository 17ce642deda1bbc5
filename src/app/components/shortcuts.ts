import { useEffect, useEffectEvent } from 'react';
import { createPreference } from './preference.ts';

interface Shortcut {
  /** As `KeyboardEvent.key` names them; any one of them does it. `Control+` is ⌘ too, and goes on while one types. */
  keys: readonly string[];
  does: string;
  /** Goes on for as long as the key is held down. */
  repeats?: true;
}

/** All that a single key does: this table binds the keys, and the dialog of shortcuts lists it. */
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

/** Those that the page binds: a row has the focus on its link, which the browser opens by itself. */
export type ShortcutName = Exclude<Name, 'open'>;

/** Off for those whose speech input or hand types a letter unasked (WCAG 2.1.4). Keys that type nothing stay. */
export const characterKeys = createPreference('character-keys', (kept) => kept !== 'false');

type Handlers = Partial<Record<ShortcutName, () => void>>;

/** Binds these shortcuts while this part of the page is there. Where two parts bind the same, the first one gets it. */
export function useShortcuts(handlers: Handlers): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const name = shortcutOf(event);
    if (!name || !(name in handlers)) return;
    // Which tells the parts that come after it as well.
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
  // What was asked for may still be on its way.
  if (document.querySelector('dialog[open], [popover]:popover-open, [data-opening]')) return;
  const isCharacter = event.key.length === 1;
  if (isCharacter && !control && !characterKeys.get()) return;
  // A letter is meant without Shift, also with Caps Lock on; where `/` and `?` lie, the keyboard decides.
  const key = control + (isCharacter && !event.shiftKey ? event.key.toLowerCase() : event.key);
  if (key.startsWith('Arrow') && !movesRows(target)) return;
  for (const [name, shortcut] of Object.entries(shortcuts) as [Name, Shortcut][])
    if (shortcut.keys.includes(key) && (!event.repeat || shortcut.repeats) && name !== 'open') return name;
}

/** In a list, or where nothing in particular has the focus; elsewhere arrows scroll, as in every page. */
function movesRows(target: Element): boolean {
  return target.matches('body, h1, main') || target.closest('table') !== null;
}
