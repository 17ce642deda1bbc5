import { useEffectEvent, useLayoutEffect } from 'react';
import { createPreference, usePreference } from './preference.ts';
import styles from './key.module.css';

interface Shortcut {
  /** Alternatives, as in `KeyboardEvent.key`: a capital letter is one with Shift. `Control+` also means ⌘, and works while the user types. */
  keys: readonly string[];
  /** Repeats while the key is held down. */
  repeats?: true;
}

/** The shortcuts that the page binds; the shortcuts dialog lists them, and says what each does. */
export const shortcuts = {
  find: { keys: ['/'] },
  create: { keys: ['n'] },
  export: { keys: ['E'] },
  next: { keys: ['j', 'ArrowDown'], repeats: true },
  previous: { keys: ['k', 'ArrowUp'], repeats: true },
  edit: { keys: ['e'] },
  select: { keys: ['x'] },
  note: { keys: ['a'] },
  extend: { keys: ['+'] },
  save: { keys: ['Control+Enter'] },
  close: { keys: ['Escape'] },
  palette: { keys: ['Control+k'] },
  help: { keys: ['?'] },
} as const satisfies Record<string, Shortcut>;
type ShortcutName = keyof typeof shortcuts;

/** A key as it is shown. */
export const nameOfKey = (key: string): string => (/^[A-Z]$/.test(key) ? `⇧${key}` : key);

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
  if (event.defaultPrevented || isComposing(event) || event.altKey) return;
  const { target } = event;
  const control = event.ctrlKey || event.metaKey ? 'Control+' : '';
  if (!(target instanceof Element) || (!control && target.closest(typedInto))) return;
  // An overlay may be open or still loading.
  if (document.querySelector('dialog[open], [popover]:popover-open, [data-opening]')) return;
  const isCharacter = event.key.length === 1;
  if (isCharacter && !control && !characterKeys.get()) return;
  const key = control + (isCharacter ? characterOf(event) : event.key);
  if (key.startsWith('Arrow') && !movesRows(target)) return;
  const all = Object.entries(shortcuts) as [ShortcutName, Shortcut][];
  return all.find(([, { keys, repeats }]) => keys.includes(key) && (!event.repeat || repeats))?.[0];
}

/** True for a key that belongs to an input method. Safari sends the Enter that ends a composition after it, with this code. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

/** The character of a key, whatever Caps Lock says; of a letter in another script, the Latin one on the same key. */
function characterOf({ key, code, shiftKey }: KeyboardEvent): string {
  const isForeign = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  const character = isForeign ? code.replace('Key', '') : key;
  return shiftKey ? character.toUpperCase() : character.toLowerCase();
}

/** Arrow keys move between rows in a list and in the pane beside it, or if no control has the focus. Elsewhere they scroll. */
function movesRows(target: Element): boolean {
  return target.matches('body, h1, main') || target.closest('table, aside') !== null;
}

/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}

/** Shows the shortcut of a control. Hidden from screen readers, which find all keys in the shortcuts dialog. */
export function KeyHint({ of }: { of: ShortcutName }) {
  if (!usePreference(characterKeys)) return null;
  return (
    <span className={styles.hint} aria-hidden="true">
      <Key>{nameOfKey(shortcuts[of].keys[0])}</Key>
    </span>
  );
}
