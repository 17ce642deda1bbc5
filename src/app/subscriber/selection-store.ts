import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { noSelection, selectionOf, type Selection } from '../api/api.ts';
import type { App } from '../components/app-context.ts';
import { counted } from '../components/format.ts';

function change(cache: QueryClient, next: Partial<Selection>): void {
  const selection = selectionOf(cache);
  selection.set({ ...selection.get(), ...next });
}

type Ids = readonly number[];
const none: Ids = [];
const selectedIn = (cache: QueryClient): Ids => selectionOf(cache).get().selected ?? none;

/** Selects all that match a filter, or only those again that were selected one by one. */
export const selectAll = (cache: QueryClient, filter: string, all: boolean): void =>
  change(cache, { filter, all, jobId: null });

/** Selects these, and no others. */
export const selectOnly = (cache: QueryClient, filter: string, selected: Ids): void =>
  change(cache, { filter, all: false, jobId: null, selected });

/** Remembers the job of the selection, which stays until the job is started: its preview may be discarded. */
export const keepUntilStarted = (cache: QueryClient, jobId: string): void => change(cache, { jobId });

/** Ends the selection if it is of another filter, with a toast if somebody has to know. */
export function keepToFilter(app: App, filter: string): void {
  const before = selectionOf(app.queryClient).get().filter;
  if (before === filter) return;
  selectAll(app.queryClient, filter, false);
  if (before !== null) replaceSelection(app, [], ', because the filters changed');
}

/** Nobody can be left out of all that match, which are then those again that were selected one by one. */
function leaveAll(cache: QueryClient): void {
  if (selectionOf(cache).get().all) change(cache, { all: false, jobId: null });
}

/** Selects or deselects some subscribers; those already selected keep their position. */
export function setSelected(cache: QueryClient, some: Ids, on: boolean): void {
  const before = selectedIn(cache);
  leaveAll(cache);
  change(cache, {
    selected: on ? [...new Set([...before, ...some])] : before.filter((id) => !some.includes(id)),
  });
}

/** Selects one subscriber, or deselects it. */
export function toggleSelected(cache: QueryClient, id: number): void {
  setSelected(cache, [id], !selectedIn(cache).includes(id));
}

/** Deselects a subscriber that is deleted, without a toast. */
export function deselect(cache: QueryClient, deleted: number): void {
  const { selected } = selectionOf(cache).get();
  if (selected) change(cache, { selected: selected.filter((id) => id !== deleted) });
}

/** Ends selecting without a toast. */
export function finishSelecting(cache: QueryClient): void {
  selectionOf(cache).set(noSelection);
}

/** Deselects all, with a toast that can select them again; null also ends selecting. */
export function replaceSelection({ queryClient: cache, toasts }: App, next: [] | null, why = ''): void {
  const before = selectedIn(cache);
  if (next === null) finishSelecting(cache);
  else change(cache, { selected: next });
  leaveAll(cache);
  if (before.length === 0) return;
  toasts.show('ok', `${counted(before.length, 'subscriber')} deselected${why}.`, {
    label: 'Select again',
    onPress: () => change(cache, { selected: before }),
  });
}

/** Something about the selection; `read` has to return the same value until it changes. */
export function useSelection<T>(read: (selected: Ids, isAll: boolean) => T): T {
  const cache = useQueryClient();
  const selection = selectionOf(cache);
  return useSyncExternalStore(selection.subscribe, () => read(selectedIn(cache), selection.get().all));
}
