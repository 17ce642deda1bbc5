import { useEffect, useRef, type RefObject } from 'react';

/** True if the component is still mounted when an answer arrives. */
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
