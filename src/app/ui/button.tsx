import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonLook = 'plain' | 'primary' | 'danger' | 'quiet' | 'quiet-danger';

interface Look {
  look?: ButtonLook;
  /** A square button that holds only an icon; it needs an `aria-label`. */
  square?: boolean;
  small?: boolean;
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ look = 'plain', square = false, small = false }: Look = {}): string {
  return [styles.button, styles[look], square && styles.square, small && styles.small]
    .filter(Boolean)
    .join(' ');
}

/** A button. `busy` says that its action is on the way: it stays focusable and takes no second press. */
export function Button({
  look = 'plain',
  square = false,
  small = false,
  busy = false,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean }) {
  return (
    <button
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass({ look, square, small })}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  );
}
