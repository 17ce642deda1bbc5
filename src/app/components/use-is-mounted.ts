import { useEffect, useRef, type RefObject } from 'react';

/** Whether a component is still on the page, for when an answer comes. */
export function useHere(): RefObject<boolean> {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
