import type { FieldValues, Resolver } from 'react-hook-form';

let isPressed = false;
const waiting = new Set<() => void>();

addEventListener('pointerdown', () => (isPressed = true), true);
// A menu of the system can keep the release to itself.
for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'keydown'])
  addEventListener(
    end,
    () => {
      isPressed = false;
      for (const run of waiting) run();
      waiting.clear();
    },
    true,
  );

/**
 * Runs something at once, or while a pointer is pressed, as soon as it is released. Pressing a button takes the focus from
 * a field: what is then said of the field must not move the button from under the pointer, or the press is lost.
 */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.add(run);
  else run();
}

/** The same checks of a form, said of no field before a pressed pointer is released. */
export function checkAfterPress<Input extends FieldValues, Context, Output>(
  check: Resolver<Input, Context, Output>,
): Resolver<Input, Context, Output> {
  return async (...asked) => {
    await new Promise<void>(afterPress);
    return check(...asked);
  };
}
