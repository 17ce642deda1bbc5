import { useId, type MouseEvent, type ReactNode } from 'react';
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

/** A choice. The list closes first, so that a dialog returns the focus to the button that opened the list. */
export function PopoverItem(props: {
  onPick: () => void;
  danger?: boolean;
  /** The reason why it cannot be chosen. */
  reason?: string | undefined;
  children: ReactNode;
}) {
  const pick = (event: MouseEvent<HTMLElement>) => {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    props.onPick();
  };
  return (
    <Button variant={props.danger ? 'quiet-danger' : 'quiet'} reason={props.reason} onClick={pick}>
      {props.children}
    </Button>
  );
}
