import { useEffect, type ReactNode } from 'react';
import { useApp, WindowTitle } from './app-context.ts';
import { grouped } from './format.ts';
import { Notice } from './notice.tsx';
import styles from './page.module.css';

/** A page that is one column: its heading, what is beside it, and the rest below. */
export function Page(props: {
  /** The heading, which also names the window. */
  title: string;
  /** The name of the window, where it says more than the heading. */
  windowTitle?: string;
  /** The number beside the heading; undefined until it is known. */
  count?: number | undefined;
  /** Beside the heading; buttons and links are at the end of the line. */
  aside?: ReactNode;
  /** Why this user may not see the page; it takes the place of the rest. */
  barred?: string | undefined;
  children: ReactNode;
}) {
  const { title, windowTitle = title, count, aside, barred } = props;
  return (
    <div className={`stack ${styles.screen}`}>
      <WindowTitle>{windowTitle}</WindowTitle>
      <div className={`row ${styles.head}`}>
        <PageHeading>
          {title}
          {count !== undefined && <span className={styles.count}> {grouped(count)}</span>}
        </PageHeading>
        {aside}
      </div>
      {/* It is said once the session is known: then the heading has the focus already. */}
      {barred && (
        <div role="alert">
          <Notice tone="warn">{barred}</Notice>
        </div>
      )}
      {!barred && props.children}
    </div>
  );
}

/** The heading of a page. It takes the focus when the page opens, so that screen readers start there. */
export function PageHeading({ children }: { children: ReactNode }) {
  const { headingRef } = useApp();
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), [headingRef]);
  return (
    <h1 ref={headingRef} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Instead of a list that is empty: why it is, and what to do about it. */
export function EmptyState(props: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{props.title}</h2>
      {props.hint !== undefined && <p className="muted">{props.hint}</p>}
      {props.children}
    </div>
  );
}
