import { startTransition, useEffect, useState } from 'react';
import { afterPaint } from '../../ui/after-paint.ts';

/** A row and its share of what stands above the list, in px: a little more rows than fit into any window. */
const heightOfRow = 48;

/**
 * How many rows to draw: as a list opens those that fit into the window, so that they are there sooner, and all of them
 * once that is on the screen, or a key is pressed that may lead to any of them.
 */
export function useRowsInSight(): number {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    const draw = () => setDrawn(true);
    const calledOff = afterPaint(() => startTransition(draw));
    // Heard before all others, and drawn before they hear it.
    addEventListener('keydown', draw, true);
    return () => {
      calledOff();
      removeEventListener('keydown', draw, true);
    };
  }, []);
  return drawn ? Infinity : Math.ceil(innerHeight / heightOfRow);
}
