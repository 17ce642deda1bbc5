// All that comes with the first selection of a visit, in one piece.
export { Mark, MarkAll } from './marks.tsx';
export { SelectionBar } from './selection-bar.tsx';
export { leave, toggle } from './selection-store.ts';
