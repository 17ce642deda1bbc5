import { useId, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './popover.module.css';

/** A button that opens a short list of choices beside it. */
export function Popover(props: { label: string; text: string; onPress?: () => void; children: ReactNode }) {
  const { label, text, onPress, children } = props;
  const id = useId();
  return (
    <>
      <Button small={text !== label} popoverTarget={id} aria-label={label} onClick={onPress}>
        {text}
      </Button>
      <div id={id} popover="auto" role="group" aria-label={label} className={styles.popover}>
        {children}
      </div>
    </>
  );
}
