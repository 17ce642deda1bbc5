import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { useForm, type UseFormRegisterReturn } from 'react-hook-form';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { roles, type Role } from '../../contract/bff/permission.ts';
import { AddStaffBody, ChangeStaffBody, type StaffMember } from '../../contract/bff/staff.ts';
import { ApiError } from '../../contract/http/client.ts';
import { addStaff, changeStaff, endStaffSessions, resetStaffPassword } from '../api/mutations.ts';
import { roleNames } from '../api/session.ts';
import { describeFailure } from '../changes/change-failure.tsx';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { counted } from '../components/count.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './staff-dialogs.module.css';

/** What a dialog about an account needs; `own` if it is the account of the signed-in person. */
interface StaffDialogProps {
  member: StaffMember;
  own: boolean;
  onClose: () => void;
}

/** How to find out whether a change of an account was done when no answer came. */
export const lookAtStaff = 'Look at the list';

/** Asks for a name and a role, then shows the one-time password of the new account. */
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
      const message = nameRefusal(error);
      if (message) form.setError('name', { type: 'bff', message }, { shouldFocus: true });
    },
  });
  const save = form.handleSubmit((body) => adding.mutate(body));
  if (adding.isSuccess) {
    const { staff, oneTimePassword } = adding.data;
    return <OneTimePasswordDialog name={staff.name} password={oneTimePassword} onClose={onClose} />;
  }
  const error = adding.error && nameRefusal(adding.error) === undefined ? adding.error : null;
  return (
    <FormDialog
      title="Add staff"
      action="Add account"
      busyAction="Adding…"
      busy={adding.isPending}
      error={error && describeFailure(error, 'the account is added', lookAtStaff)}
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
    </FormDialog>
  );
}

const nameRefusal = (error: Error) => (error instanceof ApiError ? error.fields['name']?.[0] : undefined);

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
    <FormDialog
      title={own ? 'Change your own role' : `Change the role of ${name}`}
      action="Change role"
      busyAction="Changing…"
      busy={change.isPending}
      error={change.error && describeFailure(change.error, `the role of ${name} is changed`, lookAtStaff)}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <RoleField field={form.register('role')} />
      <p>
        <PersonIs name={name} own={own} /> signed out everywhere and has the new role after signing in again.
      </p>
    </FormDialog>
  );
}

const roleMeanings: Readonly<Record<Role, string>> = {
  viewer: 'Finds and sees subscribers, but no whole access token.',
  support: 'Also creates and changes subscribers and regenerates tokens.',
  manager: 'Also deletes subscribers and looks after staff accounts.',
};

function RoleField({ field }: { field: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset className={styles.roles}>
      <legend>Role</legend>
      {roles.map((role) => (
        <label key={role}>
          <input
            {...field}
            type="radio"
            value={role}
            aria-labelledby={`${id}-${role}`}
            aria-describedby={`${id}-${role}-means`}
          />
          <span id={`${id}-${role}`}>{roleNames[role]}</span>
          <small id={`${id}-${role}-means`}>{roleMeanings[role]}</small>
        </label>
      ))}
    </fieldset>
  );
}

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
    <FormDialog
      title={own ? 'Disable your own account?' : `Disable ${name}?`}
      action="Disable account"
      busyAction="Disabling…"
      look="danger"
      busy={disabling.isPending}
      error={disabling.error && describeFailure(disabling.error, `${name} is disabled`, lookAtStaff)}
      onSubmit={() => disabling.mutate({ id, disabled: true })}
      onClose={onClose}
    >
      <p>
        <PersonIs name={name} own={own} /> signed out everywhere at once and cannot sign in until a manager
        enables the account again. What was done with it stays on record.
      </p>
    </FormDialog>
  );
}

export function EndSessionsDialog({ member: { id, name }, own, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const ending = useMutation({
    ...endStaffSessions,
    onSuccess: (ended) => {
      const text =
        ended === 0 ? `${name} was not signed in.` : `${counted(ended, 'session')} of ${name} ended.`;
      toasts.show('ok', text);
      onClose();
    },
  });
  return (
    <FormDialog
      title={own ? 'End your own sessions?' : `End the sessions of ${name}?`}
      action="End sessions"
      busyAction="Ending…"
      look="danger"
      busy={ending.isPending}
      error={ending.error && describeFailure(ending.error, `the sessions of ${name} ended`, lookAtStaff)}
      onSubmit={() => ending.mutate(id)}
      onClose={onClose}
    >
      <p>
        <PersonIs name={name} own={own} /> signed out in every browser at once, and can sign in again with the
        same password.
      </p>
    </FormDialog>
  );
}

function PersonIs({ name, own }: { name: string; own: boolean }) {
  if (own) return 'You are';
  return (
    <>
      <strong>{name}</strong> is
    </>
  );
}

export function ResetDialog({ member: { id, name }, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const reset = useMutation({
    ...resetStaffPassword,
    onSuccess: () => toasts.show('ok', `${name} has a one-time password and is signed out everywhere.`),
  });
  if (reset.isSuccess)
    return <OneTimePasswordDialog name={name} password={reset.data.oneTimePassword} onClose={onClose} />;
  return (
    <FormDialog
      title={`Give ${name} a new password?`}
      action="Give a one-time password"
      busyAction="Working…"
      look="danger"
      busy={reset.isPending}
      error={reset.error && describeFailure(reset.error, `${name} has a new password`, lookAtStaff)}
      onSubmit={() => reset.mutate(id)}
      onClose={onClose}
    >
      <p>
        The present password of <strong>{name}</strong> stops working at once, and all sessions end. You get a
        one-time password to pass on.
      </p>
    </FormDialog>
  );
}

/** Shows a one-time password, which nobody can see again later, and says how to pass it on. */
function OneTimePasswordDialog(props: { name: string; password: string; onClose: () => void }) {
  const { name, password } = props;
  const box = useRef<HTMLDivElement>(null);
  // The element that had the focus went away with the dialog before this one.
  useEffect(() => box.current?.focus(), []);
  return (
    <Dialog
      title={`One-time password for ${name}`}
      onClose={props.onClose}
      actions={
        <>
          <CopyButton text={password} name="password" small={false} />
          <Button look="primary" onClick={props.onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={box} tabIndex={-1} className={styles.password}>
        <code>{password}</code>
      </div>
      <p>
        Tell it to <strong>{name}</strong> in person or by phone. The first sign-in asks for a password of
        their own, and from then on this one opens nothing. It is good for {oneTimePasswordHours} hours.
      </p>
      <Notice tone="warn">It is shown this once. If it gets lost, give a new one.</Notice>
    </Dialog>
  );
}
