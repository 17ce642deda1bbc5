import { usePreference } from './preference.ts';
import { characterKeys, nameOfKey, shortcuts, type ShortcutName } from './shortcuts.ts';
import styles from './key.module.css';

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
