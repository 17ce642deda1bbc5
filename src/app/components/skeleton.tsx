import styles from './skeleton.module.css';

/** A grey bar in place of a text that is loading; `width` in characters. */
export function Skeleton({ width }: { width: number }) {
  return <span className={styles.skeleton} style={{ inlineSize: `${width}ch` }} aria-hidden="true" />;
}
