import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Proof } from '../../contract/bff/second-factor.ts';
import { ApiError } from '../../contract/http/client.ts';
import type { ButtonLook } from '../components/button.tsx';
import { Field, inputClass } from '../components/field.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useSession } from '../api/session.ts';
import { describeFailure } from './change-failure.tsx';

/**
 * Asks for the user's own password before something that a screen left open must not be enough for. Users of single
 * sign-on have none here, and are not asked.
 */
export function PasswordDialog<T>(props: {
  title: string;
  action: string;
  busyAction: string;
  look?: ButtonLook;
  request: UseMutationResult<T, Error, Proof>;
  /** The end of the sentence for when it is not known whether it was done, and how to find out. */
  what: string;
  check?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { request, what, check = 'Reload the page', children, ...dialog } = props;
  const session = useSession();
  const hasPassword = session?.canChangePassword ?? false;
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const wrong = fieldError(request.error, 'password');
  return (
    <ConfirmDialog
      {...dialog}
      busy={request.isPending}
      error={wrong ? null : request.error && describeFailure(request.error, what, check)}
      onSubmit={() =>
        request.mutate(hasPassword ? { password } : {}, { onError: () => askAgain(input.current) })
      }
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

export function askAgain(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

/** What is wrong with a field of a proof. */
export const fieldError = (error: Error | null, field: keyof Proof) =>
  error instanceof ApiError ? error.fields[field]?.[0] : undefined;
