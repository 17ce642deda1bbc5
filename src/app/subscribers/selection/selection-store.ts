import type { QueryClient } from '@tanstack/react-query';
import { counted } from '../../components/count.ts';
import type { App } from '../../components/app-context.ts';
import { selectionQuery, type Chosen, type Selection } from './selection-query.ts';

const { queryKey } = selectionQuery;

/** Selects some or no longer does; whoever is selected already keeps their place. */
export function choose(cache: QueryClient, some: Selection, on: boolean): void {
  cache.setQueryData(queryKey, (now) => {
    const present = now ?? [];
    if (!on) return without(present, some);
    return [...present, ...some.filter(({ id }) => !isChosen(present, id)).map(essence)];
  });
}

/** Selects somebody, or no longer does. */
export function toggle(cache: QueryClient, one: Chosen): void {
  choose(cache, [one], !isChosen(cache.getQueryData(queryKey) ?? [], one.id));
}

/** Those who are there no more are not selected either. */
export function drop(cache: QueryClient, gone: readonly { id: number }[]): void {
  cache.setQueryData(queryKey, (now) => now && without(now, gone));
}

/** Selects nobody any more. A slip of the hand is not the end of it. */
export function clear(app: App): void {
  put(app, []);
}

/** Ends selecting, with the same way back. */
export function leave(app: App): void {
  put(app, null);
}

export const isChosen = (selection: Selection, id: number): boolean => selection.some((one) => one.id === id);

const without = (selection: Selection, some: readonly { id: number }[]): Selection =>
  selection.filter(({ id }) => !some.some((one) => one.id === id));

// Of a row there is more, such as the access token, and none of it is needed here.
const essence = ({ id, username, email }: Chosen): Chosen => ({ id, username, email });

function put({ queryClient: cache, toasts }: App, next: Selection | null): void {
  const before = cache.getQueryData(queryKey) ?? [];
  cache.setQueryData(queryKey, next);
  if (before.length === 0) return;
  toasts.show('ok', `${counted(before.length, 'subscriber')} no longer selected.`, {
    label: 'Select again',
    onPress: () => cache.setQueryData(queryKey, before),
  });
}
