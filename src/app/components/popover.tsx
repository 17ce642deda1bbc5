import { useId, type ReactNode, type MouseEvent } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
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

/** A choice in a `Popover`. The list closes first, so that a dialog returns the focus to the button that opened the list. */
export function PopoverItem(props: {
  onPick: () => void;
  variant?: ButtonVariant;
  /** The reason why it cannot be chosen. */
  reason?: string | undefined;
  children: ReactNode;
}) {
  const pick = (event: MouseEvent<HTMLElement>) => {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    props.onPick();
  };
  return (
    <Button variant={props.variant ?? 'quiet'} reason={props.reason} onClick={pick}>
      {props.children}
    </Button>
  );
}
