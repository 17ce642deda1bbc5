import type { MouseEvent } from 'react';
import { FilterLink } from '../subscriber/filter-link.tsx';

export { exactTime } from '../components/exact-time.tsx';
export { describeCanWatch } from '../subscriber/can-watch.ts';

/** Beside a status: shows all with it. @param name undefined if it has none */
export const statusLink = (id: number, name: string | undefined) => (
  <FilterLink by={{ status: id }} value={`status ${name ?? id}`} {...inRow()} />
);

export const trialLink = <FilterLink by={{ trial: true }} value="plan Trial" {...inRow()} />;

/** Right and Left move between the links of a row, so that Tab still passes a row at once. */
function inRow() {
  return { tabIndex: -1, onClick: stayAtRow, ref: bindArrows } as const;
}

/** Opens no pane, and leaves the focus at the subscriber, whose row moves. */
function stayAtRow(event: MouseEvent): void {
  event.stopPropagation();
  event.currentTarget.closest('tr')?.querySelector<HTMLElement>('th > a')?.focus({ preventScroll: true });
}

function bindArrows(link: HTMLElement | null) {
  const row = link?.closest('tr');
  // The links of a row add the same listener, which counts once.
  row?.addEventListener('keydown', moveInRow);
  return () => row?.removeEventListener('keydown', moveInRow);
}

function moveInRow(event: KeyboardEvent): void {
  const { key, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event;
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (by === undefined || altKey || ctrlKey || metaKey || shiftKey) return;
  const links = [...(currentTarget as HTMLElement).querySelectorAll('a')];
  const next = links[links.findIndex((link) => link === document.activeElement) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
