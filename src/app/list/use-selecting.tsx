import { useSyncExternalStore } from 'react';
import { selectionOf } from '../api/api.ts';
import { usePermission } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';

/** The functions that change the selection. The first view does without it; while selecting is on, it is loaded. */
export const loadSelectionStore = () => import('../subscriber/selection-store.ts');

/** Selecting is off at first; only users who may change many subscribers at once can start it. */
export function useSelecting() {
  const { queryClient, toasts } = useApp();
  const { allowed, reason } = usePermission('runJobs');
  const selection = selectionOf(queryClient);
  const isOn = useSyncExternalStore(selection.subscribe, () => selection.get().selected !== null);
  /** Starts it if it is off, or says why that is not allowed. @returns whether it is on now */
  function start(): boolean {
    if (reason !== undefined) toasts.show('bad', reason);
    if (allowed && !isOn) selection.set({ ...selection.get(), selected: [] });
    return allowed;
  }
  return { reason, isOn, start };
}

const loadSelecting = () => import('../bulk/selecting.tsx');
export type SelectingParts = Awaited<ReturnType<typeof loadSelecting>>;

/** The parts of the list while selecting is on; null while it is off or still loading. */
export function useSelectingParts(isOn: boolean): SelectingParts | null {
  const selection = selectionOf(useApp().queryClient);
  const parts = useLazyModule(loadSelecting, isOn, () =>
    selection.set({ ...selection.get(), selected: null }),
  );
  return isOn ? parts : null;
}

/** Starts and ends selecting, for users who may change many subscribers at once. */
export function SelectButton() {
  const app = useApp();
  const { reason, isOn, start } = useSelecting();
  // It shows until the role is known: if it appeared later, the filters would move.
  if (reason !== undefined) return null;
  const exit = () => void loadSelectionStore().then(({ replaceSelection }) => replaceSelection(app, null));
  return (
    <Button id="select" aria-pressed={isOn} onClick={() => (isOn ? exit() : start())}>
      Select
    </Button>
  );
}
