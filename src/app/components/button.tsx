import { useId, type ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonLook = 'plain' | 'primary' | 'danger' | 'quiet' | 'quiet-danger';

interface Look {
  look?: ButtonLook;
  /** A square button that holds only an icon; it needs an `aria-label`. */
  square?: boolean;
  small?: boolean;
}

/** The classes of a button, for links that look like buttons. */
export function buttonClass({ look = 'plain', square = false, small = false }: Look = {}): string {
  return [styles.button, styles[look], square && styles.square, small && styles.small]
    .filter(Boolean)
    .join(' ');
}

/** A button. While it is `busy` or has a `reason` against it, it does nothing, but can have the focus. */
export function Button({
  look = 'plain',
  square = false,
  small = false,
  busy = false,
  reason,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean; reason?: string | undefined }) {
  const explanation = useId();
  const off = busy || reason !== undefined;
  return (
    <>
      <button
        type={type === 'submit' ? 'submit' : 'button'}
        className={buttonClass({ look, square, small })}
        aria-busy={busy || undefined}
        aria-disabled={off || undefined}
        aria-describedby={reason && explanation}
        title={reason}
        onClick={off ? (event) => event.preventDefault() : onClick}
        {...rest}
      />
      {reason && (
        <span id={explanation} hidden>
          {reason}
        </span>
      )}
    </>
  );
}
