import { useEffectEvent, useLayoutEffect } from 'react';
import { createPreference } from './preference.ts';

interface Shortcut {
  /** Alternatives, as in `KeyboardEvent.key`: a capital letter is one with Shift. `Control+` also means ⌘, and works while the user types. */
  keys: readonly string[];
  /** Repeats while the key is held down. */
  repeats?: true;
}

/** All keyboard shortcuts. This table binds the keys; the shortcuts dialog lists them, and says what each does. */
export const shortcuts = {
  find: { keys: ['/'] },
  create: { keys: ['n'] },
  export: { keys: ['E'] },
  next: { keys: ['j', 'ArrowDown'], repeats: true },
  previous: { keys: ['k', 'ArrowUp'], repeats: true },
  open: { keys: ['Enter'] },
  values: { keys: ['ArrowRight', 'ArrowLeft'] },
  edit: { keys: ['e'] },
  select: { keys: ['x'] },
  note: { keys: ['a'] },
  extend: { keys: ['+'] },
  save: { keys: ['Control+Enter'] },
  close: { keys: ['Escape'] },
  palette: { keys: ['Control+k'] },
  help: { keys: ['?'] },
} as const satisfies Record<string, Shortcut>;
export type AnyShortcut = keyof typeof shortcuts;

/** A key as it is shown. */
export const nameOfKey = (key: string): string => (/^[A-Z]$/.test(key) ? `⇧${key}` : key);

/** The shortcuts that the page binds. Enter on the link of a row is the browser's own, and a row binds its own arrows. */
export type ShortcutName = Exclude<AnyShortcut, 'open' | 'values'>;

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
  // Before the browser shows what the keys act on: who presses one at once must not press it in vain.
  useLayoutEffect(() => {
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
  for (const [name, shortcut] of Object.entries(shortcuts) as [AnyShortcut, Shortcut][])
    if (
      shortcut.keys.includes(key) &&
      (!event.repeat || shortcut.repeats) &&
      name !== 'open' &&
      name !== 'values'
    )
      return name;
}

/** Arrow keys move between rows in a list and in the pane beside it, or if no control has the focus. Elsewhere they scroll. */
function movesRows(target: Element): boolean {
  return target.matches('body, h1, main') || target.closest('table, aside') !== null;
}
