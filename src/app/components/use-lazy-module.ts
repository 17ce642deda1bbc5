import { useEffect, useEffectEvent, useState } from 'react';
import { useApp } from './app-context.ts';

/**
 * A part of the page that is loaded when it is first wanted; null until it is there.
 *
 * @param onFailure called where it cannot be loaded, as without a network; it is said, and the page stays as it is
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
  const get = useEffectEvent(() => void load().then((loaded) => setPart({ loaded }), fail));
  useEffect(() => {
    if (wanted) get();
  }, [wanted]);
  return part && part.loaded;
}
