import type { FocusEvent, PointerEvent } from 'react';
import { useKeptFocus } from './use-kept-focus.ts';
import { useRowHints } from './use-row-hints.ts';
import { useRowLinks } from './use-row-links.ts';

/** What happens in rows, heard by the table for all of them: as many listeners as rows would cost as much as the rows. */
export function useRowEvents() {
  const { hrefOf, open, fetchAhead } = useRowLinks();
  const { hinted, hintsOf, hint } = useRowHints();
  const { keep, release } = useKeptFocus();
  const notice = (event: FocusEvent | PointerEvent) => {
    hint(event);
    fetchAhead(event);
  };
  return {
    hrefOf,
    /** Those of the row that is pointed at or has the focus. */
    hintsFor: (id: number) => (id === hinted ? hintsOf : undefined),
    handlers: {
      onClick: open,
      onPointerOver: notice,
      onFocus: (event: FocusEvent) => {
        keep(event);
        notice(event);
      },
      onBlur: release,
    },
  };
}
