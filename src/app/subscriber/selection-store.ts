import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { App } from '../components/app-context.ts';
import { counted } from '../components/count.ts';
import { selectionQuery, type SelectedSubscriber, type Selection } from './selection-query.ts';

const { queryKey } = selectionQuery;

/** Which subscribers the selection is made from. */
export interface SelectionScope {
  /** The filter of the list. With another one, the selection ends. */
  filter: string;
  /** Whether all that match it are selected, also on other pages. */
  all: boolean;
  /** The job that was prepared for the selection. */
  jobId?: string;
}

const scopeKey = ['selection', 'scope'];

const scopeOf = (cache: QueryClient): SelectionScope | null =>
  cache.getQueryData<SelectionScope>(scopeKey) ?? null;

/** Selects all that match a filter, or only those again that were selected one by one. */
export function selectAll(cache: QueryClient, filter: string, all: boolean): void {
  cache.setQueryDefaults(scopeKey, { gcTime: Infinity });
  cache.setQueryData<SelectionScope>(scopeKey, { filter, all });
}

/** Selects these, and no others. */
export function selectOnly(cache: QueryClient, filter: string, some: Selection): void {
  selectAll(cache, filter, false);
  cache.setQueryData(queryKey, some.map(withoutSecrets));
}

/** Remembers the job of the selection, which stays until the job is started: its preview may be discarded. */
export function keepUntilStarted(cache: QueryClient, jobId: string): void {
  cache.setQueryData<SelectionScope>(scopeKey, (scope) => scope && { ...scope, jobId });
}

/** The job that was prepared for the selection, if there is one. */
export const jobOfSelection = (cache: QueryClient): string | undefined => scopeOf(cache)?.jobId;

/** Ends the selection if it is of another filter, with a toast if somebody has to know. */
export function keepToFilter(app: App, filter: string): void {
  const { queryClient: cache } = app;
  const scope = scopeOf(cache);
  if (scope?.filter === filter) return;
  selectAll(cache, filter, false);
  if (scope) replaceSelection(app, [], ', because the filters changed');
}

/** Selects or deselects some subscribers; those already selected keep their position. */
export function setSelected(cache: QueryClient, some: Selection, on: boolean): void {
  const scope = scopeOf(cache);
  // Nobody can be left out of all that match.
  if (scope?.all) selectAll(cache, scope.filter, false);
  cache.setQueryData(queryKey, (now) => {
    const present = now ?? [];
    if (!on) return without(present, some);
    return [...present, ...some.filter(({ id }) => !isSelected(present, id)).map(withoutSecrets)];
  });
}

/** Selects one subscriber, or deselects it. */
export function toggleSelected(cache: QueryClient, one: SelectedSubscriber): void {
  setSelected(cache, [one], !isSelected(cache.getQueryData(queryKey) ?? [], one.id));
}

/** Deselects subscribers that are deleted, without a toast. */
export function deselect(cache: QueryClient, gone: readonly { id: number }[]): void {
  cache.setQueryData(queryKey, (now) => now && without(now, gone));
}

/** Deselects all, with a toast that can select them again. */
export function clearSelection(app: App): void {
  replaceSelection(app, []);
}

/** Ends selecting, with the same toast. */
export function exitSelecting(app: App): void {
  replaceSelection(app, null);
}

export const isSelected = (selection: Selection, id: number): boolean =>
  selection.some((one) => one.id === id);

const without = (selection: Selection, some: readonly { id: number }[]): Selection =>
  selection.filter(({ id }) => !some.some((one) => one.id === id));

// A row has more, such as the access token, which should not be stored.
const withoutSecrets = ({ id, username, email }: SelectedSubscriber): SelectedSubscriber => ({
  id,
  username,
  email,
});

/** Ends selecting without a toast. */
export function finishSelecting(cache: QueryClient): void {
  cache.setQueryData(queryKey, null);
  cache.removeQueries({ queryKey: scopeKey });
}

function replaceSelection({ queryClient: cache, toasts }: App, next: Selection | null, why = ''): void {
  const before = cache.getQueryData(queryKey) ?? [];
  const scope = scopeOf(cache);
  if (next === null) finishSelecting(cache);
  else cache.setQueryData(queryKey, next);
  if (scope?.all && next) selectAll(cache, scope.filter, false);
  if (before.length === 0) return;
  toasts.show('ok', `${counted(before.length, 'subscriber')} deselected${why}.`, {
    label: 'Select again',
    onPress: () => cache.setQueryData(queryKey, before),
  });
}

const none: Selection = [];

/**
 * Something about the selection; `read` has to return the same value until it changes. It updates synchronously:
 * `useQuery` waits a moment, in which a check box would flicker.
 */
export function useSelection<T>(read: (selection: Selection, isAll: boolean) => T): T {
  const cache = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) =>
      cache.getQueryCache().subscribe(({ query }) => {
        if (query.queryKey[0] === queryKey[0]) listener();
      }),
    [cache],
  );
  return useSyncExternalStore(subscribe, () =>
    read(cache.getQueryData(queryKey) ?? none, scopeOf(cache)?.all ?? false),
  );
}
