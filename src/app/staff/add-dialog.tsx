import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../contract/http/client.ts';
import { AddStaffBody } from '../../contract/bff/staff.ts';
import { addStaff } from '../api/mutations.ts';
import { Field, inputClass } from '../components/field.tsx';
import { useApp } from '../components/app-context.ts';
import { OneTimePasswordDialog } from './one-time-password-dialog.tsx';
import { outcomeOf } from './outcome.ts';
import { RoleField } from './role-field.tsx';
import { StaffFormDialog } from './staff-form-dialog.tsx';

/** Asks for a name and a role, then shows the password that opens the account once. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { toasts } = useApp();
  const form = useForm<AddStaffBody>({
    resolver: zodResolver(AddStaffBody),
    defaultValues: { name: '', role: 'support' },
  });
  const adding = useMutation({
    ...addStaff,
    onSuccess: ({ staff }) => toasts.show('ok', `${staff.name} is added.`),
    onError: (error) => {
      const sentence = nameRefusal(error);
      if (sentence) form.setError('name', { type: 'desk', message: sentence }, { shouldFocus: true });
    },
  });
  const save = form.handleSubmit((body) => adding.mutate(body));
  if (adding.isSuccess) {
    const { staff, oneTimePassword } = adding.data;
    return <OneTimePasswordDialog name={staff.name} password={oneTimePassword} onClose={onClose} />;
  }
  const trouble = adding.error && nameRefusal(adding.error) === undefined;
  return (
    <StaffFormDialog
      title="Add staff"
      action="Add account"
      busyAction="Adding…"
      busy={adding.isPending}
      trouble={trouble ? outcomeOf(adding.error, 'the account is added') : null}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label="Name" error={form.formState.errors.name?.message} hint="What they type to sign in.">
        {(parts) => (
          <input
            {...parts}
            {...form.register('name')}
            className={inputClass}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <RoleField field={form.register('role')} />
    </StaffFormDialog>
  );
}

const nameRefusal = (error: Error) => (error instanceof ApiError ? error.fields['name']?.[0] : undefined);
