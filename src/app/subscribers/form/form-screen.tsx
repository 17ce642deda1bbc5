import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './form-screen.module.css';

/** The screen around a form: where it stands, what it is, and the form. */
export function FormScreen({
  title,
  trail,
  children,
}: {
  title: string;
  trail: string;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={styles.screen}>
      <title>{`${title} · Subscriber Desk`}</title>
      <nav className={styles.trail} aria-label="Where this is">
        <Link to="/subscribers" search={true}>
          Subscribers
        </Link>{' '}
        / {trail}
      </nav>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
