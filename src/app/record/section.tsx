import type { ReactNode } from 'react';
import { Badge } from '../components/badge.tsx';
import styles from './section.module.css';

/**
 * A part of the pane with its heading.
 *
 * @param props.tools buttons at the end of the line of the heading
 */
export function Section(props: {
  name: string;
  isChanged?: boolean;
  tools?: ReactNode;
  busy?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="stack" aria-label={props.name} aria-busy={props.busy}>
      <div className={`row ends ${styles.head}`}>
        <h3 className="label">
          {props.name} {props.isChanged && <Badge tone="warn">Changed</Badge>}
        </h3>
        {props.tools && <div className={styles.tools}>{props.tools}</div>}
      </div>
      {props.children}
    </section>
  );
}
