import styles from './key.module.css';

/** The picture of a key. */
export function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}
