import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

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
