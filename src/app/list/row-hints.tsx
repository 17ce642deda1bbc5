import type { MouseEvent } from 'react';
import { FilterLink } from '../subscriber/filter-link.tsx';

export { exactTime } from '../components/exact-time.tsx';
export { describeCanWatch } from '../subscriber/can-watch.ts';

/** Beside a status: shows all with it. @param name undefined if it has none */
export const statusLink = (id: number, name: string | undefined) => (
  <FilterLink by={{ status: id }} value={`status ${name ?? id}`} onClick={stayAtRow} />
);

export const trialLink = <FilterLink by={{ trial: true }} value="plan Trial" onClick={stayAtRow} />;

/** Opens no pane, and leaves the focus at the subscriber, whose row moves. */
function stayAtRow(event: MouseEvent): void {
  event.stopPropagation();
  event.currentTarget.closest('tr')?.querySelector<HTMLElement>('th > a')?.focus({ preventScroll: true });
}
