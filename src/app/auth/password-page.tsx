import { useRouter, useSearch } from '@tanstack/react-router';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { sessionQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page.tsx';
import { useApp, WindowTitle } from '../components/app-context.ts';
import type { Session } from '../../contract/bff/session.ts';
import { returnPath } from '../../contract/bff/paths.ts';
import styles from './password-page.module.css';
import { ApiError } from '../../contract/http/client.ts';
import { ChangePasswordBody, newPasswordFault, newPasswordLength } from '../../contract/bff/password.ts';
import { Button } from '../components/button.tsx';
import { describeFailure } from '../api/action-errors.ts';
import { CheckBox, Form, InputField } from '../components/field.tsx';
import { checkAfterPress, useAfterPress } from '../components/use-after-press.ts';

/** Users change their own password here: when they want to, or when they have to replace a one-time password. */
export function PasswordPage() {
  const session = useSession();
  const finish = useFinish();
  const changing = useAction('changePassword', {
    done: 'your password was changed',
    failures: 'caller',
    onReply: ({ data }) => finish(data),
  });
  if (!session) return null;
  const forced = session.mustChangePassword;
  return (
    <div className={`stack ${styles.screen}`}>
      <WindowTitle>Change password</WindowTitle>
      <PageHeading>{forced ? oneTimeTexts.title : 'Change your password'}</PageHeading>
      <p className="muted">{forced ? oneTimeTexts.reason : 'You’ll be signed out everywhere else.'}</p>
      {session.canChangePassword ? (
        <PasswordForm name={session.staff.name} oneTime={forced} onSave={(body) => changing.send({ body })} />
      ) : (
        <Notice tone="warn">
          {session.canSignOut
            ? 'You sign in with single sign-on. Change your password there.'
            : 'You didn’t need a password to sign in, so there’s none to change.'}
        </Notice>
      )}
    </div>
  );
}

/** Confirms the change, and opens the page that the user wanted before. */
function useFinish() {
  const { queryClient, toasts } = useApp();
  const router = useRouter();
  const from = useSearch({ strict: false, select: (search) => ('from' in search ? search.from : undefined) });
  return (session: Session) => {
    queryClient.setQueryData(sessionQuery.queryKey, session);
    toasts.show('ok', 'Your password is changed. You’re signed out everywhere else.');
    const here = router.state.location;
    const path = typeof from === 'string' ? from : undefined;
    if (here.pathname === '/password') router.history.push(returnPath(path, location.origin));
  };
}

/** For users who have to replace a one-time password. */
export const oneTimeTexts = {
  title: 'Choose your own password',
  reason:
    'You signed in with a one-time password. It can’t be used again, so choose your own now. If you leave without choosing one, ask a manager for another one-time password.',
};

/**
 * Fields for the current password and a new one. The new one is typed once, because it can be shown. A one-time password
 * was used up by the sign-in and is not asked for again.
 */
export function PasswordForm(props: {
  name: string;
  oneTime: boolean;
  onSave: (body: ChangePasswordBody) => Promise<unknown>;
}) {
  const afterPress = useAfterPress();
  const form = useForm({
    resolver: checkAfterPress(afterPress, zodResolver(schemaFor(props.name))),
    defaultValues: { newPassword: '', ...(!props.oneTime && { password: '' }) },
    mode: 'onTouched',
  });
  const { isSubmitting } = form.formState;
  const { setFocus } = form;
  const { oneTime } = props;
  useEffect(() => {
    if (oneTime) setFocus('newPassword');
  }, [oneTime, setFocus]);
  const [failure, setFailure] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const type = shown ? 'text' : 'password';

  async function save(body: ChangePasswordBody): Promise<void> {
    setFailure(null);
    try {
      await props.onSave(body);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const [field, sentence] = refusedField(error);
      if (field) form.setError(field, { type: 'bff', message: sentence }, { shouldFocus: true });
      else setFailure(sentence);
    }
  }

  return (
    <Form className={`stack ${styles.form}`} onSubmit={() => void form.handleSubmit(save)()}>
      <div role="alert">{failure && <Notice tone="bad">{failure}</Notice>}</div>
      {/* Password managers look for the name of the account. */}
      <input type="text" autoComplete="username" value={props.name} readOnly hidden />
      {!oneTime && (
        <InputField
          form={form}
          name="password"
          label="Current password"
          type={type}
          autoComplete="current-password"
        />
      )}
      <InputField
        form={form}
        name="newPassword"
        label="New password"
        hint={`At least ${newPasswordLength.least} characters. A few unrelated words are strong and easy to remember.`}
        type={type}
        autoComplete="new-password"
      />
      <CheckBox checked={shown} onChange={(event) => setShown(event.target.checked)}>
        {oneTime ? 'Show password' : 'Show passwords'}
      </CheckBox>
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Changing…' : 'Change password'}
      </Button>
    </Form>
  );
}

/** The contract's schema, and its rules for a new password of this user. */
const schemaFor = (name: string) =>
  ChangePasswordBody.check(
    z.check((form) => {
      const message = newPasswordFault(form.value.newPassword, name);
      if (message !== null)
        form.issues.push({ code: 'custom', input: form.value, path: ['newPassword'], message });
    }),
  );

function refusedField(error: Error): [field: keyof ChangePasswordBody | null, sentence: string] {
  const fields = error instanceof ApiError ? error.fields : {};
  for (const field of ['password', 'newPassword'] as const) {
    const [sentence] = fields[field] ?? [];
    if (sentence !== undefined) return [field, sentence];
  }
  return [
    null,
    describeFailure(error, { done: 'your password was changed', check: 'Sign in with the new one' }),
  ];
}
