import { useEffect, useEffectEvent, useState } from 'react';
import { showToast } from './toast.tsx';

/**
 * A part of the page that is loaded when it is first wanted; null until it is there.
 *
 * @param onFailure called where it cannot be loaded, as without a network; it is said, and the page stays as it is
 */
export function useLate<Part>(
  load: () => Promise<Part>,
  wanted: boolean,
  onFailure?: () => void,
): Part | null {
  const [part, setPart] = useState<{ loaded: Part } | null>(null);
  const fail = useEffectEvent(() => {
    showToast('bad', 'Nothing came. Check the connection and try again.');
    onFailure?.();
  });
  const get = useEffectEvent(() => void load().then((loaded) => setPart({ loaded }), fail));
  useEffect(() => {
    if (wanted) get();
  }, [wanted]);
  return part && part.loaded;
}
