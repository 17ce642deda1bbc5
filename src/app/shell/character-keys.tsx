import { CheckBox } from '../ui/check-box.tsx';
import { usePreference } from '../ui/preference.ts';
import { characterKeys } from '../ui/shortcuts.ts';

/** Whether single letters and signs do something. */
export function CharacterKeys() {
  return (
    <CheckBox checked={usePreference(characterKeys)} onChange={characterKeys.set}>
      Single-key shortcuts
    </CheckBox>
  );
}
