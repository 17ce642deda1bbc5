import { useEffect } from 'react';

/** Hands on what is typed while the place for it is still being loaded, wherever the focus is meanwhile. */
export function useTypedAhead(waiting: boolean, onType: (character: string) => void): void {
  useEffect(() => {
    if (!waiting) return;
    const keep = (event: KeyboardEvent) => {
      if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onType(event.key);
    };
    document.addEventListener('keydown', keep, true);
    return () => document.removeEventListener('keydown', keep, true);
  }, [waiting, onType]);
}
