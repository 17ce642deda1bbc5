import { useMutation } from '@tanstack/react-query';
import { changeStaff } from '../api/mutations.ts';
import { useApp } from '../components/app-context.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { outcomeOf } from './outcome.ts';
import type { StaffDialogProps } from './staff-dialog-props.ts';

export function DisableDialog({ member: { id, name }, own, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const disabling = useMutation({
    ...changeStaff,
    onSuccess: () => {
      toasts.show('ok', `${name} is disabled and signed out everywhere.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={own ? 'Disable your own account?' : `Disable ${name}?`}
      action="Disable account"
      busyAction="Disabling…"
      look="danger"
      busy={disabling.isPending}
      trouble={disabling.error && outcomeOf(disabling.error, `${name} is disabled`)}
      onConfirm={() => disabling.mutate({ id, disabled: true })}
      onClose={onClose}
    >
      <p>
        {own ? (
          'You are'
        ) : (
          <>
            <strong>{name}</strong> is
          </>
        )}{' '}
        signed out everywhere at once and cannot sign in until a manager enables the account again. What was
        done with it stays on record.
      </p>
    </ConfirmDialog>
  );
}
