import { Key } from './key.tsx';
import { usePreference } from './preference.ts';
import { characterKeys, shortcuts, type ShortcutName } from './shortcuts.ts';
import styles from './key.module.css';

/** Tells the eye which key does what a control does; whoever hears the page finds it in the dialog of shortcuts. */
export function KeyHint({ of }: { of: ShortcutName }) {
  if (!usePreference(characterKeys)) return null;
  return (
    <span className={styles.hint} aria-hidden="true">
      <Key>{shortcuts[of].keys[0]}</Key>
    </span>
  );
}
