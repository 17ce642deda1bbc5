import { useEffect, useRef, useState } from 'react';
import { changeLimits, cleanReason } from '../../contract/http/change-headers.ts';
import { ConfirmDialog, type ConfirmDialogProps } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import type { Acting } from '../components/notice.tsx';

/** Asks before a change of a subscriber: says what it will do, takes a reason, and shows an error. */
export function ChangeDialog(
  props: Omit<ConfirmDialogProps, 'onSubmit'> & { acting: Acting; onConfirm: (reason: string) => void },
) {
  const { onConfirm, children, ...dialog } = props;
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog variant="danger" {...dialog} onSubmit={() => onConfirm(reason)}>
      {children}
      <ReasonField value={reason} onChange={setReason} readOnly={dialog.acting.isBusy} />
    </ConfirmDialog>
  );
}

/** The reason why a change is made, for those who read the activity later. */
export function ReasonField(props: {
  value: string;
  onChange: (reason: string) => void;
  readOnly?: boolean;
  /** It is for several subscribers at once. */
  several?: boolean;
  /** It is for an export, which only managers and whoever makes it see. */
  for?: 'export';
  required?: boolean;
  /** A button has opened it, so what is typed next belongs here. */
  takesFocus?: boolean;
}) {
  const { takesFocus = false } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const what = props.several ? 'these subscribers' : 'this subscriber';
  const hint =
    props.for === 'export'
      ? 'Activity records that you export, and this reason.'
      : `Shown under Activity to everyone who can see ${what}.`;
  return (
    <TextField
      label={props.required ? 'Reason' : 'Reason (optional)'}
      hint={hint}
      ref={input}
      maxLength={changeLimits.reason}
      readOnly={props.readOnly}
      value={props.value}
      onChange={(reason) => props.onChange(cleanReason(reason))}
    />
  );
}
