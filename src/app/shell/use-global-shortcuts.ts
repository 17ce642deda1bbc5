import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../api/session.ts';
import { useShortcuts } from '../components/shortcuts.ts';
import { useApp } from '../components/app-context.ts';

/** The overlays that can be opened on every screen. */
export type OverlayName = 'help' | 'palette';

/** The shortcuts that work on every screen. */
export function useGlobalShortcuts({
  barred,
  onOpen,
}: {
  barred: boolean;
  onOpen: (overlay: OverlayName) => void;
}): void {
  const { toasts } = useApp();
  const navigate = useNavigate();
  const { allowed, reason } = usePermission('createSubscriber');

  async function find(): Promise<void> {
    // The box takes no focus if the list is on another screen, or behind the pane on a narrow one.
    if (!focusFindBox()) await navigate({ to: '/subscribers', search: true });
    focusFindBox();
  }

  useShortcuts({
    find: () => {
      if (!barred) void find();
    },
    create: () => {
      if (reason !== undefined) toasts.show('bad', reason);
      else if (allowed && !barred) void navigate({ to: '/subscribers/new', search: true });
    },
    help: () => onOpen('help'),
    palette: () => {
      if (!barred) onOpen('palette');
    },
  });
}

function focusFindBox(): boolean {
  const box = document.getElementById('find');
  box?.focus();
  if (box instanceof HTMLInputElement) box.select();
  return box !== null && document.activeElement === box;
}
