import styles from './skeleton.module.css';

/** A grey bar where a text will be; `width` in characters of the text that is awaited. */
export function Skeleton({ width }: { width: number }) {
  return <span className={styles.skeleton} style={{ inlineSize: `${width}ch` }} aria-hidden="true" />;
}
