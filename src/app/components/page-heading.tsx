import { useEffect, useRef, type ReactNode } from 'react';

/** The heading of a page. It takes the focus when the page opens, so that screen readers start there. */
export function PageHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
