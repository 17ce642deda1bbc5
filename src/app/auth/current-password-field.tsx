import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, inputClass } from '../components/field.tsx';

/** The password that somebody has, as a password manager knows it. */
export function CurrentPasswordField(props: {
  registration: UseFormRegisterReturn;
  error: string | undefined;
}) {
  return (
    <Field label="Password" error={props.error}>
      {(parts) => (
        <input
          {...parts}
          {...props.registration}
          className={inputClass}
          type="password"
          autoComplete="current-password"
        />
      )}
    </Field>
  );
}
