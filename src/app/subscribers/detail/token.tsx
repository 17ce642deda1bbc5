import styles from './token.module.css';

/** A token, or what is left of it, with what it is. */
export function Token({ name, text }: { name: string; text: string }) {
  return (
    <div className={styles.token}>
      <h3>{name}</h3>
      <code>{text}</code>
    </div>
  );
}
