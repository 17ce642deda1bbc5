import styles from './skeleton.module.css';

/** A grey bar where a text will appear; `width` in characters of that text. */
export function Skeleton({ width }: { width: number }) {
  return <span className={styles.skeleton} style={{ inlineSize: `${width}ch` }} aria-hidden="true" />;
}
