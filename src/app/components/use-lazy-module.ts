import { useEffect, useEffectEvent, useState } from 'react';
import { useApp } from './app-context.ts';

/**
 * Loads a part of the page when it is first needed; null until it is loaded. If that fails, a toast says so.
 *
 * @param onFailure called then as well
 */
export function useLazyModule<Part>(
  load: () => Promise<Part>,
  wanted: boolean,
  onFailure?: () => void,
): Part | null {
  const { toasts } = useApp();
  const [part, setPart] = useState<{ loaded: Part } | null>(null);
  const fail = useEffectEvent(() => {
    toasts.show('bad', 'Couldn’t load this part of the page. Check your connection and try again.');
    onFailure?.();
  });
  const get = useEffectEvent(load);
  useEffect(() => {
    if (!wanted) return;
    let isShown = true;
    const show = async () => {
      try {
        const loaded = await get();
        if (isShown) setPart({ loaded });
      } catch {
        if (isShown) fail();
      }
    };
    void show();
    return () => {
      isShown = false;
    };
  }, [wanted]);
  return part && part.loaded;
}
