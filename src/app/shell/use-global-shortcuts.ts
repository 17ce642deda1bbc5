import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../api/session.ts';
import { useShortcuts } from '../components/shortcuts.tsx';
import { useApp } from '../components/app-context.ts';
import { toReturn } from '../subscriber/list-address.ts';

/** The overlays that can be opened on every page. */
export type OverlayName = 'help' | 'palette';

/** The shortcuts that work on every page. */
export function useGlobalShortcuts(barred: boolean, onOpen: (overlay: OverlayName) => void): void {
  const { toasts, searchRef } = useApp();
  const navigate = useNavigate();
  const { allowed, reason } = usePermission('createSubscriber');

  async function find(): Promise<void> {
    // The box cannot take the focus on another page, or on a narrow screen behind the pane.
    if (!focusFindBox()) await navigate({ to: '/subscribers', search: true });
    focusFindBox();
  }

  function focusFindBox(): boolean {
    const box = searchRef.current;
    box?.focus();
    box?.select();
    return box !== null && document.activeElement === box;
  }

  useShortcuts({
    find: () => {
      if (!barred) void find();
    },
    create: () => {
      if (reason !== undefined) toasts.show('bad', reason);
      else if (allowed && !barred) void navigate({ to: '/subscribers/new', search: true, state: toReturn });
    },
    help: () => onOpen('help'),
    palette: () => {
      if (!barred) onOpen('palette');
    },
  });
}
