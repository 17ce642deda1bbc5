import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { oneTimePasswordHours } from '../../contract/bff/password.ts';
import { may, roles, type Role } from '../../contract/bff/permission.ts';
import { AddStaffBody, ChangeStaffBody, type StaffMember } from '../../contract/bff/staff.ts';
import type { ActionReply } from '../api/actions.ts';
import { roleNameOf, roleNames } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { counted } from '../components/format.ts';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { InputField } from '../components/field.tsx';
import { useStay } from '../components/leave-guard.tsx';
import { Notice } from '../components/notice.tsx';
import { nameOfPerson } from '../components/badge.tsx';
import styles from './staff-dialogs.module.css';

/** Props of a dialog about an account; `own` if it is the signed-in user's. */
interface StaffDialogProps {
  member: StaffMember;
  own: boolean;
  onClose: () => void;
}

/** Asks for a name and a role, then shows the one-time password of the new account. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const adding = useAction('addStaff', {
    done: 'the account was added',
    toast: ({ data }) => `${data.staff.name} is added.`,
  });
  useStay(adding.isBusy && !adding.unconfirmed);
  if (adding.reply) {
    const { staff, oneTimePassword } = adding.reply.data;
    return <OneTimePasswordDialog name={staff.name} password={oneTimePassword} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Add staff"
      action="Add account"
      busyAction="Adding…"
      schema={AddStaffBody}
      values={{ name: '', role: 'support' }}
      acting={adding}
      onSubmit={(body) => void adding.run({ body })}
      onClose={onClose}
    >
      {(form) => (
        <>
          <InputField
            form={form}
            name="name"
            label="Name"
            hint="They sign in with this name."
            autoCapitalize="none"
            spellCheck={false}
          />
          <RoleField field={form.register('role')} />
        </>
      )}
    </FormDialog>
  );
}

export function RoleDialog({ member, own, onClose }: StaffDialogProps) {
  const { id, name, role } = member;
  const changing = useAction('changeStaff', {
    done: `${name}’s role was changed`,
    toast: ({ data }) => `${name}’s role is now ${roleNameOf(data.role)}.`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={own ? 'Change your own role' : `Change ${name}’s role`}
      action="Change role"
      busyAction="Changing…"
      schema={ChangeStaffBody}
      values={role === null ? {} : { role }}
      acting={changing}
      onSubmit={(body) => (body.role === role ? onClose() : void changing.run({ params: { id }, body }))}
      onClose={onClose}
    >
      {(form) => (
        <>
          <RoleField field={form.register('role')} />
          <p>
            <PersonWillBe name={name} own={own} /> signed out everywhere and have the new role after signing
            in again.
          </p>
          <PausedJobs member={member} own={own} />
        </>
      )}
    </FormDialog>
  );
}

const roleMeanings: Readonly<Record<Role, string>> = {
  viewer: 'Finds and views subscribers, but can’t see access tokens.',
  support: 'Also creates and edits subscribers, and sees and regenerates access tokens.',
  manager: 'Also deletes subscribers, manages staff and sees everyone’s activity.',
};

function RoleField({ field }: { field: ReturnType<UseFormReturn['register']> }) {
  const id = useId();
  return (
    <fieldset className="stack">
      <legend>Role</legend>
      {roles.map((role) => (
        <label key={role} className={`card ${styles.role}`}>
          <input
            {...field}
            type="radio"
            value={role}
            aria-labelledby={`${id}-${role}`}
            aria-describedby={`${id}-${role}-means`}
          />
          <span id={`${id}-${role}`}>{roleNames[role]}</span>
          <small className="aside" id={`${id}-${role}-means`}>
            {roleMeanings[role]}
          </small>
        </label>
      ))}
    </fieldset>
  );
}

type AccountAction = 'changeStaff' | 'endStaffSessions' | 'resetStaffPassword' | 'resetSecondFactor';

/** An action on an account that a dialog asks for. */
interface StaffStep {
  operation: AccountAction;
  body?: ChangeStaffBody;
  title: string;
  /** The texts of its button, at first and while it is in progress. */
  action: string;
  busyAction: string;
  done: string;
  toast: string | ((reply: ActionReply<AccountAction>) => string);
  /** The consequence; the sentence goes on for "You’ll be" and "Kari will be" alike. */
  effect: string;
}

const steps = {
  disable: (name, own) => ({
    operation: 'changeStaff',
    body: { disabled: true },
    title: own ? 'Disable your own account?' : `Disable ${name}?`,
    action: 'Disable account',
    busyAction: 'Disabling…',
    done: `${name} was disabled`,
    toast: `${name} is disabled and signed out everywhere.`,
    effect:
      'signed out everywhere and can’t sign in until a manager enables the account again. Past activity stays visible.',
  }),
  sessions: (name, own) => ({
    operation: 'endStaffSessions',
    title: own ? 'Sign yourself out everywhere?' : `Sign ${name} out everywhere?`,
    action: 'Sign out everywhere',
    busyAction: 'Signing out…',
    done: `${name} was signed out`,
    toast: ({ data }) =>
      'ended' in data && data.ended > 0
        ? `${name} is signed out (${counted(data.ended, 'session')}).`
        : `${name} wasn’t signed in.`,
    effect: 'signed out in every browser and can sign in again at any time.',
  }),
  reset: (name) => ({
    operation: 'resetStaffPassword',
    title: `Reset ${name}’s password?`,
    action: 'Reset password',
    busyAction: 'Resetting…',
    done: `${name}’s password was reset`,
    toast: `${name}’s password is reset.`,
    effect:
      'signed out everywhere, and the current password stops working. You’ll get a one-time password to pass on.',
  }),
  factor: (name) => ({
    operation: 'resetSecondFactor',
    title: `Reset ${name}’s second factor?`,
    action: 'Reset second factor',
    busyAction: 'Resetting…',
    done: `${name}’s second factor was reset`,
    toast: `${name}’s second factor is reset.`,
    effect:
      'signed out everywhere, and then sign in with the password only. Do this if they’ve lost their phone and their recovery codes, and you’re sure that it’s them who asks.',
  }),
} as const satisfies Record<string, (name: string, own: boolean) => StaffStep>;

export type StaffAct = keyof typeof steps;

/** Says what will happen to an account, does it, and shows the one-time password that comes of it, if any. */
export function StaffActionDialog(props: StaffDialogProps & { act: StaffAct }) {
  const { member, own, onClose } = props;
  const { id } = member;
  const name = nameOfPerson(member);
  const step: StaffStep = steps[props.act](name, own);
  const { operation, body, done, toast, effect, ...texts } = step;
  const acting = useAction<AccountAction, object>(operation, {
    done,
    toast,
    onDone: ({ data }) => 'oneTimePassword' in data || onClose(),
  });
  useStay(operation === 'resetStaffPassword' && acting.isBusy && !acting.unconfirmed);
  const { data } = acting.reply ?? {};
  if (data && 'oneTimePassword' in data)
    return (
      <OneTimePasswordDialog name={name} password={data.oneTimePassword} onClose={onClose}>
        {data.staff.disabled && (
          <Notice tone="warn">{name} is disabled. Enable the account, or nobody can sign in with it.</Notice>
        )}
        {data.passkeys > 0 && <RemainingPasskeys member={data.staff} count={data.passkeys} />}
      </OneTimePasswordDialog>
    );
  return (
    <ConfirmDialog
      {...texts}
      variant="danger"
      acting={acting}
      onSubmit={() => void acting.run({ params: { id }, body })}
      onClose={onClose}
    >
      <p>
        <PersonWillBe name={name} own={own} /> {effect}
      </p>
      <PausedJobs member={member} own={own} />
    </ConfirmDialog>
  );
}

/** Says what ends with the sessions besides: a job that was to start tonight no longer starts by itself. */
function PausedJobs({ member: { name, role }, own }: Omit<StaffDialogProps, 'onClose'>) {
  if (role === null || !may(role, 'runJobs')) return null;
  return (
    <p>
      Jobs in {own ? 'your name' : `the name of ${name}`} that run or are to start are paused until somebody
      continues them.
    </p>
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

/** Offers to remove passkeys that a new password leaves: somebody else may have added one. */
function RemainingPasskeys({ member: { id, name }, count }: { member: StaffMember; count: number }) {
  const removing = useAction('resetSecondFactor', {
    done: `${name}’s second factor was reset`,
    toast: () => `${name}’s passkeys and other second factors are removed.`,
    failures: 'toast',
  });
  if (removing.reply) return <p>{name} has no passkeys any more.</p>;
  return (
    <Notice tone="warn">
      <div className="stack">
        <p>
          {name} keeps {counted(count, 'passkey')}. Who has one signs in without the password. If somebody
          else may have added one, remove all second factors.
        </p>
        <div>
          <Button small busy={removing.isBusy} onClick={() => void removing.run({ params: { id } })}>
            Remove second factors
          </Button>
        </div>
      </div>
    </Notice>
  );
}

/** Shows a one-time password, once, and says how to pass it on. */
function OneTimePasswordDialog(props: {
  name: string;
  password: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  const { name, password } = props;
  const box = useRef<HTMLDivElement>(null);
  const [copied, setCopied] = useState(false);
  const [tried, setTried] = useState(false);
  // The element with the focus was removed with the previous dialog.
  useEffect(() => box.current?.focus(), []);
  // A slip of the finger must not lose what nobody can see again.
  const keep = () => setTried(true);
  useStay(!copied, keep);
  return (
    <Dialog
      title={`One-time password for ${name}`}
      onClose={copied ? props.onClose : keep}
      actions={
        <>
          <CopyButton text={password} name="password" small={false} onCopied={() => setCopied(true)} />
          <Button variant="primary" onClick={props.onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={box} tabIndex={-1} className={`inset ${styles.password}`} onCopy={() => setCopied(true)}>
        <code>{password}</code>
      </div>
      <p>
        Give it to <strong>{name}</strong> in person or by phone. It works once, within {oneTimePasswordHours}{' '}
        hours. After signing in with it, {name} has to choose a new password.
      </p>
      <Notice tone="warn">Shown only once. If it’s lost, reset the password.</Notice>
      {props.children}
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
