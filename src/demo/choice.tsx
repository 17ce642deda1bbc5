import { useId } from 'react';
import styles from './bar.module.css';

/** One of several, by name. */
export function Choice<T extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  label: string;
  value: T;
  choices: Readonly<Partial<Record<T, string>>>;
  onChoose: (value: T) => void;
}) {
  const id = useId();
  // Object.keys forgets that they are those of the record.
  const values = Object.keys(choices) as T[];
  return (
    <div className={styles.group}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.button}
        value={value}
        onChange={(event) => {
          const chosen = values.find((one) => one === event.target.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {choices[one]}
          </option>
        ))}
      </select>
    </div>
  );
}
