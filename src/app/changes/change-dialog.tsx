import { useState, type ReactNode } from 'react';
import type { Doubt } from '../api/send-idempotent.ts';
import { Button, type ButtonLook } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { DoubtNotice } from './unconfirmed-notice.tsx';
import { outcomeOf } from './outcome.ts';
import { ReasonField } from './reason-field.tsx';

/** A change of a subscriber that is asked about first: what it comes to, why it is done, and how it went. */
export function ChangeDialog(props: {
  title: string;
  /** The words of the button that does it, and while it is done. */
  action: string;
  busyAction: string;
  look?: ButtonLook;
  /** What would be so if it had gone through, for when nobody knows. */
  done: string;
  change: { isPending: boolean; error: Error | null; doubt: Doubt | null };
  onConfirm: (reason: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { isPending, error, doubt } = props.change;
  const [reason, setReason] = useState('');
  return (
    <Dialog
      title={props.title}
      // While nobody knows, it goes on by itself and tells of it on the page.
      busy={isPending && !doubt}
      onClose={props.onClose}
      actions={
        <>
          <Button key="cancel" busy={isPending && !doubt} onClick={props.onClose}>
            {doubt ? 'Close' : 'Cancel'}
          </Button>
          <Button
            key="confirm"
            look={props.look ?? 'danger'}
            busy={isPending}
            onClick={() => props.onConfirm(reason)}
          >
            {isPending ? props.busyAction : props.action}
          </Button>
        </>
      }
    >
      {props.children}
      <ReasonField value={reason} onChange={setReason} fixed={isPending} />
      <div role="alert">
        {doubt && <DoubtNotice doubt={doubt} done={props.done} />}
        {error && <Notice tone="bad">{outcomeOf(error, props.done, 'Close this and look')}</Notice>}
      </div>
    </Dialog>
  );
}
