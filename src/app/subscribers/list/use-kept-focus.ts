import { useLayoutEffect, useRef, type FocusEvent } from 'react';
import { idOfRow, idOfRowLink, rowLink } from './row-link.ts';

/**
 * Rows are drawn anew in their places, which is sooner done than making others; whoever has the focus, on a link or on
 * the box beside it, keeps it all the same where their row has moved, so that a key means the one that was chosen.
 *
 * @returns what tells of the focus, for the rows' body
 */
export function useKeptFocus() {
  const focused = useRef<{ id: number; onLink: boolean } | null>(null);
  useLayoutEffect(() => {
    if (!focused.current || idOfRow(document.activeElement) === focused.current.id) return;
    const link = rowLink(focused.current.id);
    const place = focused.current.onLink ? link : link?.closest('tr')?.querySelector('input');
    place?.focus({ preventScroll: true });
  });
  return {
    keep: ({ target }: FocusEvent) => {
      const id = idOfRow(target);
      focused.current = id === null ? null : { id, onLink: idOfRowLink(target) !== null };
    },
    release: () => void (focused.current = null),
  };
}
