import { useMutation } from '@tanstack/react-query';
import { endStaffSessions } from '../api/mutations.ts';
import { counted } from '../components/count.ts';
import { useApp } from '../components/app-context.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { outcomeOf } from './outcome.ts';
import type { StaffDialogProps } from './staff-dialog-props.ts';

export function EndSessionsDialog({ member: { id, name }, own, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const ending = useMutation({
    ...endStaffSessions,
    onSuccess: (ended) => {
      toasts.show(
        'ok',
        ended === 0 ? `${name} was not signed in.` : `${counted(ended, 'session')} of ${name} ended.`,
      );
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={own ? 'End your own sessions?' : `End the sessions of ${name}?`}
      action="End sessions"
      busyAction="Ending…"
      look="danger"
      busy={ending.isPending}
      trouble={ending.error && outcomeOf(ending.error, `the sessions of ${name} ended`)}
      onConfirm={() => ending.mutate(id)}
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
        signed out in every browser at once, and can sign in again with the same password.
      </p>
    </ConfirmDialog>
  );
}
