import { usePreference } from './preference.ts';
import { characterKeys, shortcuts, type ShortcutName } from './shortcuts.ts';
import styles from './key.module.css';

/** The picture of a key. */
export function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}

/** Shows which key does the same as a control. Screen readers find the keys in the dialog of shortcuts. */
export function KeyHint({ of }: { of: ShortcutName }) {
  if (!usePreference(characterKeys)) return null;
  return (
    <span className={styles.hint} aria-hidden="true">
      <Key>{shortcuts[of].keys[0]}</Key>
    </span>
  );
}
