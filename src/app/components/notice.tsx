import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A sentence that matters, on a ground of its tone. */
export function Notice({ tone, children }: { tone: 'ok' | 'warn' | 'bad'; children: ReactNode }) {
  return <div className={`${styles.notice} ${styles[tone]}`}>{children}</div>;
}
