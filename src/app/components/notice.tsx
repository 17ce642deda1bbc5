import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** An important sentence on a coloured background. */
export function Notice({ tone, children }: { tone: 'ok' | 'warn' | 'bad' | 'neutral'; children: ReactNode }) {
  return <div className={`${styles.notice} ${styles[tone]}`}>{children}</div>;
}
