import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Proof } from '../../contract/bff/second-factor.ts';
import { ApiError } from '../../contract/http/client.ts';
import { describeError } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import type { Acting } from '../components/notice.tsx';
import type { ButtonLook } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Field, inputClass } from '../components/field.tsx';

/** The former props. */
interface Request<T> {
  request: UseMutationResult<T, Error, Proof>;
  what: string;
  check?: string;
}

/**
 * Asks for the user's own password before something that a screen left open must not be enough for. Users of single
 * sign-on have none here, and are not asked.
 *
 * @param props.onSubmit resolves to null if it failed
 */
export function PasswordDialog<T>(
  props: {
    title: string;
    action: string;
    busyAction: string;
    look?: ButtonLook;
    onClose: () => void;
    children: ReactNode;
  } & ({ acting: Acting; onSubmit: (proof: Proof) => Promise<unknown> } | Request<T>),
) {
  const { children, title, action, busyAction, look, onClose } = props;
  const acting = 'acting' in props ? props.acting : actingOf(props);
  const onSubmit = 'acting' in props ? props.onSubmit : sendBy(props);
  const session = useSession();
  const hasPassword = session?.canChangePassword ?? false;
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const wrong = acting.fields['password']?.[0];
  const submit = async () => {
    if ((await onSubmit(hasPassword ? { password } : {})) === null) askAgain(input.current);
  };
  return (
    <ConfirmDialog
      {...{ title, action, busyAction, look, onClose }}
      acting={wrong === undefined ? acting : { ...acting, failure: null }}
      onSubmit={() => void submit()}
    >
      {children}
      {hasPassword && (
        <>
          {/* Password managers look for the name of the account. */}
          <input type="text" autoComplete="username" value={session?.staff.name} readOnly hidden />
          <Field label="Your password" error={wrong}>
            {(parts) => (
              <input
                {...parts}
                ref={input}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
                className={inputClass}
                type="password"
                autoComplete="current-password"
              />
            )}
          </Field>
        </>
      )}
    </ConfirmDialog>
  );
}

const sendBy =
  <T,>({ request }: Request<T>) =>
  (proof: Proof) =>
    request.mutateAsync(proof).catch(() => null);

const actingOf = <T,>({ request, what, check = 'Reload the page' }: Request<T>): Acting => ({
  isBusy: request.isPending,
  done: what,
  failure: request.error && describeError(request.error, { done: what, check }),
  fields: request.error instanceof ApiError ? request.error.fields : {},
  unconfirmed: null,
});

export function askAgain(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

/** What is wrong with a field of a proof. */
export const fieldError = (error: Error | null, field: keyof Proof) =>
  error instanceof ApiError ? error.fields[field]?.[0] : undefined;
