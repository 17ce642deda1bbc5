import { useLayoutEffect, useRef, type FocusEvent } from 'react';
import { idOfRowLink, rowLink } from './row-link.ts';

/**
 * Rows are drawn anew in their places, which is sooner done than making others; whoever has the focus keeps it all the
 * same where their row has moved, so that Enter opens the one that was chosen.
 *
 * @returns what tells of the focus, for the rows' body
 */
export function useKeptFocus() {
  const focused = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (focused.current !== null && focused.current !== idOfRowLink(document.activeElement))
      rowLink(focused.current)?.focus({ preventScroll: true });
  });
  return {
    keep: ({ target }: FocusEvent) => void (focused.current = idOfRowLink(target)),
    release: () => void (focused.current = null),
  };
}
