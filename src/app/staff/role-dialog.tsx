import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ChangeStaffBody } from '../../contract/bff/staff.ts';
import { changeStaff } from '../api/mutations.ts';
import { roleNames } from '../api/role-names.ts';
import { useApp } from '../components/app-context.ts';
import { outcomeOf } from './outcome.ts';
import { RoleField } from './role-field.tsx';
import type { StaffDialogProps } from './staff-dialog-props.ts';
import { StaffFormDialog } from './staff-form-dialog.tsx';

export function RoleDialog({ member: { id, name, role }, own, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const form = useForm({ resolver: zodResolver(ChangeStaffBody), defaultValues: { role } });
  const change = useMutation({
    ...changeStaff,
    onSuccess: (changed) => {
      toasts.show('ok', `The role of ${name} is now ${roleNames[changed.role]}.`);
      onClose();
    },
  });
  const save = form.handleSubmit((body) => (body.role === role ? onClose() : change.mutate({ id, ...body })));
  return (
    <StaffFormDialog
      title={own ? 'Change your own role' : `Change the role of ${name}`}
      action="Change role"
      busyAction="Changing…"
      busy={change.isPending}
      trouble={change.error && outcomeOf(change.error, `the role of ${name} is changed`)}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <RoleField field={form.register('role')} />
      <p>
        {own ? (
          'You are'
        ) : (
          <>
            <strong>{name}</strong> is
          </>
        )}{' '}
        signed out everywhere and has the new role after signing in again.
      </p>
    </StaffFormDialog>
  );
}
