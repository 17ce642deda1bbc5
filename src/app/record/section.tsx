import type { ReactNode } from 'react';
import styles from './section.module.css';

/**
 * A part of the pane with its heading.
 *
 * @param props.name of the part, which is its heading unless that is given
 * @param props.tools buttons at the end of the line of the heading
 */
export function Section(props: {
  name: string;
  heading?: ReactNode;
  tools?: ReactNode;
  busy?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="stack" aria-label={props.name} aria-busy={props.busy}>
      <div className={`row ends ${styles.head}`}>
        <h3 className="label">{props.heading ?? props.name}</h3>
        {props.tools && <div className={styles.tools}>{props.tools}</div>}
      </div>
      {props.children}
    </section>
  );
}
