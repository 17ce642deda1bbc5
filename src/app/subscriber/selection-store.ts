import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { noSelection, stateOf, type Selected, type SelectedSubscriber, type Selection } from '../api/api.ts';
import type { App } from '../components/app-context.ts';
import { counted } from '../components/count.ts';

function change(cache: QueryClient, next: Partial<Selection>): void {
  const { selection } = stateOf(cache);
  selection.set({ ...selection.get(), ...next });
}

const selectedIn = (cache: QueryClient): Selected => stateOf(cache).selection.get().selected ?? [];

/** Selects all that match a filter, or only those again that were selected one by one. */
export const selectAll = (cache: QueryClient, filter: string, all: boolean): void =>
  change(cache, { filter, all, jobId: null });

/** Selects these, and no others. */
export const selectOnly = (cache: QueryClient, filter: string, some: Selected): void =>
  change(cache, { filter, all: false, jobId: null, selected: some.map(withoutSecrets) });

/** Remembers the job of the selection, which stays until the job is started: its preview may be discarded. */
export const keepUntilStarted = (cache: QueryClient, jobId: string): void => change(cache, { jobId });

/** Ends the selection if it is of another filter, with a toast if somebody has to know. */
export function keepToFilter(app: App, filter: string): void {
  const before = stateOf(app.queryClient).selection.get().filter;
  if (before === filter) return;
  selectAll(app.queryClient, filter, false);
  if (before !== null) replaceSelection(app, [], ', because the filters changed');
}

/** Nobody can be left out of all that match, which are then those again that were selected one by one. */
function leaveAll(cache: QueryClient): void {
  if (stateOf(cache).selection.get().all) change(cache, { all: false, jobId: null });
}

/** Selects or deselects some subscribers; those already selected keep their position. */
export function setSelected(cache: QueryClient, some: Selected, on: boolean): void {
  const before = selectedIn(cache);
  const added = some.filter(({ id }) => !isSelected(before, id)).map(withoutSecrets);
  leaveAll(cache);
  change(cache, { selected: on ? [...before, ...added] : without(before, some) });
}

/** Selects one subscriber, or deselects it. */
export function toggleSelected(cache: QueryClient, one: SelectedSubscriber): void {
  setSelected(cache, [one], !isSelected(selectedIn(cache), one.id));
}

/** Deselects subscribers that are deleted, without a toast. */
export function deselect(cache: QueryClient, deleted: readonly { id: number }[]): void {
  const { selected } = stateOf(cache).selection.get();
  if (selected) change(cache, { selected: without(selected, deleted) });
}

export const isSelected = (selected: Selected, id: number): boolean => selected.some((one) => one.id === id);

const without = (selected: Selected, some: readonly { id: number }[]): Selected =>
  selected.filter(({ id }) => !some.some((one) => one.id === id));

const withoutSecrets = ({ id, username, email }: SelectedSubscriber): SelectedSubscriber => ({
  id,
  username,
  email,
});

/** Ends selecting without a toast. */
export function finishSelecting(cache: QueryClient): void {
  stateOf(cache).selection.set(noSelection);
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

const none: Selected = [];

/** Something about the selection; `read` has to return the same value until it changes. */
export function useSelection<T>(read: (selected: Selected, isAll: boolean) => T): T {
  const { selection } = stateOf(useQueryClient());
  return useSyncExternalStore(selection.subscribe, () => {
    const { selected, all } = selection.get();
    return read(selected ?? none, all);
  });
}
