import { useEffect, useState } from 'react';
import type { FieldValues, Resolver } from 'react-hook-form';

export type AfterPress = ReturnType<typeof createPress>['after'];

/**
 * A function that runs something at once, or while a pointer is pressed, as soon as it is released. Pressing a button takes
 * the focus from a field: what is then said of the field must not move the button from under the pointer, or the press is
 * lost.
 */
export function useAfterPress(): AfterPress {
  const [press] = useState(createPress);
  useEffect(() => press.watch(), [press]);
  return press.after;
}

/** The checks of a form, which say nothing of a field before a pressed pointer is released. */
export function checkAfterPress<Input extends FieldValues, Context, Output>(
  afterPress: AfterPress,
  check: Resolver<Input, Context, Output>,
): Resolver<Input, Context, Output> {
  return async (...input) => {
    await new Promise<void>(afterPress);
    return check(...input);
  };
}

function createPress() {
  let isPressed = false;
  const waiting = new Set<() => void>();
  const release = () => {
    isPressed = false;
    for (const run of waiting) run();
    waiting.clear();
  };
  return {
    after: (run: () => void): void => {
      if (isPressed) waiting.add(run);
      else run();
    },
    watch: () => {
      const watching = new AbortController();
      const options = { capture: true, signal: watching.signal };
      addEventListener('pointerdown', () => (isPressed = true), options);
      // A menu of the system can keep the release to itself.
      for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'keydown'])
        addEventListener(end, release, options);
      return () => watching.abort();
    },
  };
}
