import { startTransition, useEffect, useState } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import { afterPaint } from '../../components/after-paint.ts';
import { firstView } from '../../components/first-view.ts';
import { rowLink } from './row-link.ts';

type Rows = readonly Subscriber[];

/** What stands above the rows at least, and how high each is, where nothing is drawn yet that can be measured; in px. */
const usual = { top: 200, height: 42 };

/**
 * The rows to draw at this moment. Of others those within the window come first, so that they are there as soon on a
 * page of 200 as on one of 25; the rest as soon as these are on the screen, or a key is pressed that may lead there.
 *
 * @param rows those that are wanted; undefined while none are there
 * @returns as many of them as are to be drawn, from the first on, in whose places some may still be those before
 */
export function useRowsInSight(rows: Rows | undefined): Rows | undefined {
  const [drawn, setDrawn] = useState(firstView.isOver ? rows : undefined);
  useEffect(() => {
    if (drawn === rows) return;
    const draw = () => setDrawn(rows);
    const calledOff = afterPaint(() => startTransition(draw));
    // Heard before all others, and drawn before they hear it.
    addEventListener('keydown', draw, true);
    return () => {
      calledOff();
      removeEventListener('keydown', draw, true);
    };
  }, [rows, drawn]);

  if (!rows || drawn === rows) return rows;
  if (!drawn) return toFill(rows, innerHeight - usual.top, usual.height);
  // A page of another length moves what is below it, and with that what is in sight.
  return drawn.length === rows.length ? mix(rows, drawn) : rows;
}

/** The first of them, as many as fit in, even in part. */
function toFill(rows: Rows, space: number, height: number): Rows {
  const fit = Math.ceil(space / height);
  return fit < rows.length ? rows.slice(0, fit) : rows;
}

/** Within the window, even in part, those that are wanted, elsewhere those that are there. */
function mix(rows: Rows, drawn: Rows): Rows {
  const { top = 0, height = 0 } =
    (drawn[0] && rowLink(drawn[0].id)?.closest('tr')?.getBoundingClientRect()) ?? {};
  // Nothing is laid out.
  if (height === 0) return rows;
  const [first, last] = [Math.floor(-top / height), Math.ceil((innerHeight - top) / height) - 1];
  if (first <= 0 && last >= rows.length - 1) return rows;
  return rows.map((row, place) => (place >= first && place <= last ? row : (drawn[place] ?? row)));
}
