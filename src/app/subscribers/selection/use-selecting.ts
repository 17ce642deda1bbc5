import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePermission } from '../../api/session.ts';
import { useApp, type App } from '../../components/app-context.ts';
import { useLate } from '../../components/use-lazy-module.ts';
import { selectionQuery } from './selection-query.ts';

const load = () => import('./while-selecting.ts');
type WhileSelecting = Awaited<ReturnType<typeof load>>;

/** Selecting is off at first, and all that it needs is loaded when it is wanted. */
export function useSelecting() {
  const app = useApp();
  const { queryClient: cache, toasts } = app;
  const { allowed, reason } = usePermission('deleteSubscriber');
  const { data: isOn = false } = useQuery({ ...selectionQuery, select: Boolean });
  return {
    reason,
    isOn,
    /** Turns it on where it is off, and does something as soon as all of it is there; or says why it may not. */
    act: (deed: (all: WhileSelecting, app: App) => void) => {
      if (reason !== undefined) toasts.show('bad', reason);
      if (!allowed) return;
      cache.setQueryData(selectionQuery.queryKey, (now) => now ?? []);
      // Where it does not come, that is told below.
      load().then(
        (all) => deed(all, app),
        () => undefined,
      );
    },
  };
}

/** What the list shows while it is on; null while it is off, or on its way. */
export function useWhileSelecting(isOn: boolean): WhileSelecting | null {
  const cache = useQueryClient();
  const late = useLate(load, isOn, () => cache.setQueryData(selectionQuery.queryKey, null));
  return isOn ? late : null;
}
