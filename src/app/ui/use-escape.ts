import { useEffect, useEffectEvent } from 'react';

/** Escape anywhere on the page, but where it has a meaning of its own: in a dialog, a popover or a field. */
export function useEscape(onEscape: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const taken = document.querySelector('dialog[open], [popover]:popover-open');
    const inField = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (!taken && !inField) onEscape();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
