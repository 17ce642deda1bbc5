import { useState, type ReactNode } from 'react';
import { changeLimits, cleanReason } from '../../contract/http/change-headers.ts';
import type { Unconfirmed } from '../components/notice.tsx';
import { useSession } from '../api/session.ts';
import type { ButtonLook } from '../components/button.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { describeFailure, UnconfirmedNotice } from './change-failure.tsx';

/** Asks before a change of a subscriber: says what it will do, takes a reason, and shows an error. */
export function ChangeDialog(props: {
  title: string;
  action: string;
  busyAction: string;
  /** Dangerous unless this says otherwise. */
  look?: ButtonLook;
  /** What would be true if the change had gone through, for when its answer is lost. */
  done: string;
  change: { isPending: boolean; error: Error | null; unconfirmed: Unconfirmed | null };
  onConfirm: (reason: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { change, done, onConfirm, look = 'danger', children, ...texts } = props;
  const { isPending, error, unconfirmed } = change;
  const [reason, setReason] = useState('');
  const user = useSession()?.staff;
  return (
    <ConfirmDialog
      {...texts}
      look={look}
      busy={isPending}
      // An unconfirmed change continues without the dialog, and a toast says how it ended.
      canClose={!isPending || unconfirmed !== null}
      cancel={unconfirmed ? 'Close' : 'Cancel'}
      notice={unconfirmed && <UnconfirmedNotice unconfirmed={unconfirmed} done={done} />}
      error={error && describeFailure(error, done, 'Close this and check the subscriber', user)}
      onSubmit={() => onConfirm(reason)}
    >
      {children}
      <ReasonField value={reason} onChange={setReason} readOnly={isPending} />
    </ConfirmDialog>
  );
}

/** Why a change is made, for those who read the activity later. */
export function ReasonField(props: {
  value: string;
  onChange: (reason: string) => void;
  readOnly?: boolean;
  /** It is for several subscribers at once. */
  several?: boolean;
  /** It is for an export, which only managers and whoever makes it see. */
  for?: 'export';
  required?: boolean;
}) {
  const what = props.several ? 'these subscribers' : 'this subscriber';
  const hint =
    props.for === 'export'
      ? 'Activity records that you export, and this reason.'
      : `Shown under Activity to everyone who can see ${what}.`;
  return (
    <Field label={props.required ? 'Reason' : 'Reason (optional)'} hint={hint}>
      {(parts) => (
        <input
          {...parts}
          className={inputClass}
          autoComplete="off"
          maxLength={changeLimits.reason}
          readOnly={props.readOnly}
          value={props.value}
          onChange={(event) => props.onChange(cleanReason(event.target.value))}
        />
      )}
    </Field>
  );
}
