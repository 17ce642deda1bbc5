/** A page of a list by its number, and the rows that it covers: `start` counts from 0. */
export interface Window {
  page: number;
  size: number;
  start: number;
}

/**
 * The page that begins before the row at `end` and goes furthest beyond it. Pages of one size lie end to end; those of
 * a slightly smaller one overlap with them, by few rows where the size is well chosen.
 *
 * @param end how many rows are known; the page covers at least the last of them
 * @param most rows of the largest page
 */
export function nextWindow(end: number, most: number): Window {
  let best: Window = { page: 1, size: most, start: 0 };
  if (end <= 0) return best;
  for (let size = most; size > most / 2; size -= 1) {
    const start = Math.floor((end - 1) / size) * size;
    if (start + size > best.start + best.size) best = { page: start / size + 1, size, start };
  }
  return best;
}
