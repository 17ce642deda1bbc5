import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Session } from '../../../contract/bff/session.ts';
import { Credentials } from '../../../contract/bff/api.ts';
import { Notice } from '../../components/notice.tsx';
import { CurrentPasswordField } from '../current-password-field.tsx';
import { signInTrouble } from '../sign-in-trouble.ts';
import { askDesk } from './ask-desk.ts';
import styles from './sign-in-over.module.css';

/** The password of somebody whose name is known. */
export function PasswordAgain(props: {
  /** Of the form, for the button that stands outside it. */
  id: string;
  name: string;
  onBusy: (busy: boolean) => void;
  onSignedIn: (session: Session, password: string) => void;
}) {
  const form = useForm({
    resolver: zodResolver(Credentials),
    defaultValues: { name: props.name, password: '' },
  });
  const [trouble, setTrouble] = useState<string | null>(null);

  async function signIn(body: Credentials): Promise<void> {
    setTrouble(null);
    props.onBusy(true);
    try {
      props.onSignedIn((await askDesk.signIn({ body })).data, body.password);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setTrouble(signInTrouble(error, 'The password is wrong. Check it and try again.'));
      form.setFocus('password', { shouldSelect: true });
    } finally {
      props.onBusy(false);
    }
  }

  return (
    <form
      id={props.id}
      className={styles.form}
      noValidate
      onSubmit={(event) => void form.handleSubmit(signIn)(event)}
    >
      <div role="alert">{trouble && <Notice tone="bad">{trouble}</Notice>}</div>
      {/* Tells a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={props.name} readOnly hidden />
      <CurrentPasswordField
        registration={form.register('password')}
        error={form.formState.errors.password?.message}
      />
    </form>
  );
}
