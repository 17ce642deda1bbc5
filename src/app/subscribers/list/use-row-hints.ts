import { useState, type SyntheticEvent } from 'react';
import type { hintsOf } from './row-hints.ts';
import { idOfRow } from './row-link.ts';

/** Hints for the one row that is pointed at or has the focus; for all of them they would take longer than the rows. */
export function useRowHints() {
  const [hinted, setHinted] = useState<number | null>(null);
  const [known, setKnown] = useState<{ hintsOf: typeof hintsOf }>();
  return {
    hinted,
    hintsOf: known?.hintsOf,
    hint: ({ target }: SyntheticEvent) => {
      setHinted(idOfRow(target));
      // Without them the rows still say all that matters.
      if (!known) import('./row-hints.ts').then(setKnown, () => undefined);
    },
  };
}
