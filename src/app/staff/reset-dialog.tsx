import { useMutation } from '@tanstack/react-query';
import { resetStaffPassword } from '../api/mutations.ts';
import { useApp } from '../components/app-context.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { OneTimePasswordDialog } from './one-time-password-dialog.tsx';
import { outcomeOf } from './outcome.ts';
import type { StaffDialogProps } from './staff-dialog-props.ts';

export function ResetDialog({ member: { id, name }, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const reset = useMutation({
    ...resetStaffPassword,
    onSuccess: () => toasts.show('ok', `${name} has a one-time password and is signed out everywhere.`),
  });
  if (reset.isSuccess)
    return <OneTimePasswordDialog name={name} password={reset.data.oneTimePassword} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Give ${name} a new password?`}
      action="Give a one-time password"
      busyAction="Working…"
      look="danger"
      busy={reset.isPending}
      trouble={reset.error && outcomeOf(reset.error, `${name} has a new password`)}
      onConfirm={() => reset.mutate(id)}
      onClose={onClose}
    >
      <p>
        The present password of <strong>{name}</strong> stops working at once, and all sessions end. You get a
        one-time password to pass on.
      </p>
    </ConfirmDialog>
  );
}
