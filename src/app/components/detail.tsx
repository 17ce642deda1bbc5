import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import styles from './detail.module.css';

/** One line of a list of details, which is a `<dl className="stack">`. */
export function Detail(props: { name: ReactNode; isChanged?: boolean; children: ReactNode }) {
  return (
    <div className={styles.detail}>
      <dt>{props.name}</dt>
      <dd className="breaks">
        {props.children}
        {props.isChanged && ' '}
        {props.isChanged && <Badge tone="warn">Changed</Badge>}
      </dd>
    </div>
  );
}
