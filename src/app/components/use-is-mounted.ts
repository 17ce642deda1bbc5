import { useEffect, useRef, type RefObject } from 'react';

/** Whether a component is still on the page, for when an answer comes. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
