import { characterKeys } from '../ui/shortcuts.ts';
import { usePreference } from '../ui/preference.ts';
import styles from './shortcuts-dialog.module.css';

/** Whether single letters and signs do something. */
export function CharacterKeys() {
  const on = usePreference(characterKeys);
  return (
    <label className={styles.choice}>
      <input type="checkbox" checked={on} onChange={(event) => characterKeys.set(event.target.checked)} />
      Single-key shortcuts
    </label>
  );
}
