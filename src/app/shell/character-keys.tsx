import { CheckBox } from '../components/check-box.tsx';
import { usePreference } from '../components/preference.ts';
import { characterKeys } from '../components/shortcuts.ts';

/** Whether single letters and signs do something. */
export function CharacterKeys() {
  return (
    <CheckBox checked={usePreference(characterKeys)} onChange={characterKeys.set}>
      Single-key shortcuts
    </CheckBox>
  );
}
