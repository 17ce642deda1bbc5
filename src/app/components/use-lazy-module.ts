import { useEffect, useEffectEvent, useState } from 'react';
import { useApp } from './app-context.ts';

/**
 * Loads a part of the page when it is first needed; null until it is loaded.
 *
 * @param onFailure called if it cannot be loaded, for example without a network; a toast says so, and the page stays
 */
export function useLazyModule<Part>(
  load: () => Promise<Part>,
  wanted: boolean,
  onFailure?: () => void,
): Part | null {
  const { toasts } = useApp();
  const [part, setPart] = useState<{ loaded: Part } | null>(null);
  const fail = useEffectEvent(() => {
    toasts.show('bad', 'Nothing came. Check the connection and try again.');
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
