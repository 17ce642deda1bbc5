import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useForm, type UseFormRegisterReturn } from 'react-hook-form';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { roles, type Role } from '../../contract/bff/permission.ts';
import { AddStaffBody, ChangeStaffBody, type StaffMember } from '../../contract/bff/staff.ts';
import { ApiError } from '../../contract/http/client.ts';
import {
  addStaff,
  changeStaff,
  endStaffSessions,
  resetSecondFactor,
  resetStaffPassword,
} from '../api/mutations.ts';
import { roleNameOf, roleNames } from '../api/session.ts';
import { describeFailure } from '../subscriber/change-failure.tsx';
import { PasswordDialog } from '../subscriber/password-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { counted } from '../components/count.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import styles from './staff-dialogs.module.css';

/** What a dialog about an account needs; `own` if it is the signed-in user's. */
interface StaffDialogProps {
  member: StaffMember;
  own: boolean;
  onClose: () => void;
}

/** What to do when it is not known whether an account was changed. */
export const checkStaff = 'Check the list';

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
    <ConfirmDialog
      title="Add staff"
      action="Add account"
      busyAction="Adding…"
      busy={adding.isPending}
      error={error && describeFailure(error, 'the account was added', checkStaff)}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label="Name" error={form.formState.errors.name?.message} hint="They sign in with this name.">
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
    </ConfirmDialog>
  );
}

const nameRefusal = (error: Error) => (error instanceof ApiError ? error.fields['name']?.[0] : undefined);

export function RoleDialog({ member: { id, name, role }, own, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const form = useForm({
    resolver: zodResolver(ChangeStaffBody),
    defaultValues: role === null ? {} : { role },
  });
  const change = useMutation({
    ...changeStaff,
    onSuccess: (changed) => {
      toasts.show('ok', `${name}’s role is now ${roleNameOf(changed.role)}.`);
      onClose();
    },
  });
  const save = form.handleSubmit((body) => (body.role === role ? onClose() : change.mutate({ id, ...body })));
  return (
    <ConfirmDialog
      title={own ? 'Change your own role' : `Change ${name}’s role`}
      action="Change role"
      busyAction="Changing…"
      busy={change.isPending}
      error={change.error && describeFailure(change.error, `${name}’s role was changed`, checkStaff)}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <RoleField field={form.register('role')} />
      <p>
        <PersonWillBe name={name} own={own} /> signed out everywhere and have the new role after signing in
        again.
      </p>
    </ConfirmDialog>
  );
}

const roleMeanings: Readonly<Record<Role, string>> = {
  viewer: 'Finds and views subscribers, but can’t see access tokens.',
  support: 'Also creates and edits subscribers, and sees and regenerates access tokens.',
  manager: 'Also deletes subscribers, manages staff and sees everyone’s activity.',
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

export function DisableDialog({ member, own, onClose }: StaffDialogProps) {
  const [id, name] = [member.id, nameOfPerson(member)];
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
      error={disabling.error && describeFailure(disabling.error, `${name} was disabled`, checkStaff)}
      onSubmit={() => disabling.mutate({ id, disabled: true })}
      onClose={onClose}
    >
      <p>
        <PersonWillBe name={name} own={own} /> signed out everywhere and can’t sign in until a manager enables
        the account again. Past activity stays visible.
      </p>
    </ConfirmDialog>
  );
}

export function SignOutDialog({ member, own, onClose }: StaffDialogProps) {
  const [id, name] = [member.id, nameOfPerson(member)];
  const { toasts } = useApp();
  const ending = useMutation({
    ...endStaffSessions,
    onSuccess: (ended) => {
      const text =
        ended === 0 ? `${name} wasn’t signed in.` : `${name} is signed out (${counted(ended, 'session')}).`;
      toasts.show('ok', text);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={own ? 'Sign yourself out everywhere?' : `Sign ${name} out everywhere?`}
      action="Sign out everywhere"
      busyAction="Signing out…"
      look="danger"
      busy={ending.isPending}
      error={ending.error && describeFailure(ending.error, `${name} was signed out`, checkStaff)}
      onSubmit={() => ending.mutate(id)}
      onClose={onClose}
    >
      <p>
        <PersonWillBe name={name} own={own} /> signed out in every browser and can sign in again at any time.
      </p>
    </ConfirmDialog>
  );
}

/** The beginning of a sentence that goes on for "you" and for a name alike. */
function PersonWillBe({ name, own }: { name: string; own: boolean }) {
  if (own) return 'You’ll be';
  return (
    <>
      <strong>{name}</strong> will be
    </>
  );
}

export function ResetDialog({ member: { id, name }, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const reset = useMutation({
    ...resetStaffPassword,
    onSuccess: () => toasts.show('ok', `${name}’s password is reset.`),
  });
  if (reset.isSuccess)
    return <OneTimePasswordDialog name={name} password={reset.data.oneTimePassword} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Reset ${name}’s password?`}
      action="Reset password"
      busyAction="Resetting…"
      look="danger"
      busy={reset.isPending}
      error={reset.error && describeFailure(reset.error, `${name}’s password was reset`, checkStaff)}
      onSubmit={() => reset.mutate(id)}
      onClose={onClose}
    >
      <p>
        <PersonWillBe name={name} own={false} /> signed out everywhere, and the current password stops
        working. You’ll get a one-time password to pass on.
      </p>
    </ConfirmDialog>
  );
}

export function ResetFactorDialog({ member: { id, name }, onClose }: StaffDialogProps) {
  const { toasts } = useApp();
  const reset = useMutation({
    ...resetSecondFactor(id),
    onSuccess: () => {
      toasts.show('ok', `${name}’s second factor is reset.`);
      onClose();
    },
  });
  return (
    <PasswordDialog
      title={`Reset ${name}’s second factor?`}
      action="Reset second factor"
      busyAction="Resetting…"
      look="danger"
      request={reset}
      what={`${name}’s second factor was reset`}
      check={checkStaff}
      onClose={onClose}
    >
      <p>
        <PersonWillBe name={name} own={false} /> signed out everywhere, and then sign in with the password
        only. Do this if they’ve lost their phone and their recovery codes, and you’re sure that it’s them who
        asks.
      </p>
    </PasswordDialog>
  );
}

/** Shows a one-time password, once, and says how to pass it on. */
function OneTimePasswordDialog(props: { name: string; password: string; onClose: () => void }) {
  const { name, password } = props;
  const box = useRef<HTMLDivElement>(null);
  const [copied, setCopied] = useState(false);
  const [tried, setTried] = useState(false);
  // The element with the focus was removed with the previous dialog.
  useEffect(() => box.current?.focus(), []);
  return (
    <Dialog
      title={`One-time password for ${name}`}
      // A slip of the finger must not lose what nobody can see again.
      onClose={copied ? props.onClose : () => setTried(true)}
      actions={
        <>
          <CopyButton text={password} name="password" small={false} onCopied={() => setCopied(true)} />
          <Button look="primary" onClick={props.onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={box} tabIndex={-1} className={styles.password} onCopy={() => setCopied(true)}>
        <code>{password}</code>
      </div>
      <p>
        Give it to <strong>{name}</strong> in person or by phone. It works once, within {oneTimePasswordHours}{' '}
        hours. After signing in with it, {name} has to choose a new password.
      </p>
      <Notice tone="warn">Shown only once. If it’s lost, reset the password.</Notice>
      <div role="alert">
        {tried && !copied && (
          <Notice tone="bad">
            Copy the password first, or press Done when you’ve passed it on. You can’t see it again.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
