import { useEffect, useId, useState, type ComponentProps, type MouseEvent } from 'react';
import { useApp } from './app-context.ts';
import styles from './button.module.css';

export type ButtonVariant = 'plain' | 'primary' | 'danger' | 'quiet' | 'quiet-danger';

interface ButtonStyle {
  variant?: ButtonVariant;
  /** A square button that holds only an icon; it needs an `aria-label`. */
  square?: boolean;
  small?: boolean;
}

/** The classes of a button, for links that look like buttons. */
export function buttonClass({ variant = 'plain', square = false, small = false }: ButtonStyle = {}): string {
  return [styles.button, styles[variant], square && styles.square, small && styles.small]
    .filter(Boolean)
    .join(' ');
}

/**
 * A button. While it is `busy` or has a `reason` against it, it does nothing, but can have the focus.
 *
 * @param props.busy whether what it started is in progress. A button that can be busy does its work once per press: the
 *   second click of a double click does nothing, nor does a press just after the last one or its result, nor a held key
 * @param props.confirms whether it confirms what another button asked: the second of two quick presses there must not
 */
export function Button({
  variant = 'plain',
  square = false,
  small = false,
  busy,
  confirms = false,
  reason,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> &
  ButtonStyle & { busy?: boolean; confirms?: boolean; reason?: string | undefined }) {
  const explanation = useId();
  const once = busy !== undefined;
  // The second click of a double click would close what the first one has opened.
  const opens = rest['aria-expanded'] !== undefined || rest.popoverTarget !== undefined;
  const pause = usePause(once, busy, confirms);
  const isBusy = busy || pause.isOn;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy || reason !== undefined || ((once || opens) && event.detail > 1)) {
      event.preventDefault();
      return;
    }
    if (once) pause.begin();
    onClick?.(event);
  };
  return (
    <>
      <button
        type={type === 'submit' ? 'submit' : 'button'}
        className={buttonClass({ variant, square, small })}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || reason !== undefined || undefined}
        aria-describedby={reason && explanation}
        title={reason}
        data-once={once || undefined}
        data-opening={(confirms && pause.isOn && !busy) || undefined}
        onClick={press}
        onMouseDown={(event) => {
          // Nor does it take the focus from there.
          if (opens && event.detail > 1) event.preventDefault();
        }}
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

/** The moment in which a button takes no press, as it would be an accident: after a press, its result, or at first. */
function usePause(once: boolean, busy: boolean | undefined, pausesAtFirst: boolean) {
  const { pressPause } = useApp();
  const pauses = once && pressPause > 0;
  const [isOn, setOn] = useState(pauses && pausesAtFirst);
  if (pauses && busy && !isOn) setOn(true);
  useEffect(() => {
    if (busy || !isOn) return;
    const timer = setTimeout(() => setOn(false), pressPause);
    return () => clearTimeout(timer);
  }, [busy, isOn, pressPause]);
  return { isOn, begin: () => setOn(pauses) };
}
