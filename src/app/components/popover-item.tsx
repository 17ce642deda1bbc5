import type { MouseEvent, ReactNode } from 'react';
import { Button, type ButtonVariant } from './button.tsx';

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
