import { useCallback, useState } from 'react';

/**
 * True if an element has ever come near the visible part of the page.
 *
 * @param margin how near, in CSS pixels
 */
export function useInSight(margin: number): [ref: (element: Element | null) => void, inSight: boolean] {
  const [inSight, setInSight] = useState(false);
  const ref = useCallback(
    (element: Element | null) => {
      if (!element) return;
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) setInSight(true);
        },
        { rootMargin: `${margin}px` },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [margin],
  );
  return [ref, inSight];
}
