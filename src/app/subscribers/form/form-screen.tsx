import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeading } from '../../components/page-heading.tsx';
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
  return (
    <div className={styles.screen}>
      <title>{`${title} · Subscriber Desk`}</title>
      <nav className={styles.trail} aria-label="Where this is">
        <Link to="/subscribers" search={true}>
          Subscribers
        </Link>{' '}
        / {trail}
      </nav>
      <PageHeading>{title}</PageHeading>
      {children}
    </div>
  );
}
