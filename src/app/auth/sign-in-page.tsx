import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLoaderData, useRouter, useSearch } from '@tanstack/react-router';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Credentials } from '../../contract/bff/credentials.ts';
import { singleSignOnSentence } from '../../contract/bff/single-sign-on.ts';
import { clientsOf } from '../api/client.ts';
import { signIn } from '../api/mutations.ts';
import { hasPasskeySupport, signInWithPasskey } from '../api/passkeys.ts';
import { byPassword, sessionQuery } from '../api/queries.ts';
import { Brand } from '../components/icon.tsx';
import { Button, buttonClass } from '../components/button.tsx';
import { describeError } from '../api/errors.ts';
import { Field, inputClass } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page.tsx';
import type { Session } from '../../contract/bff/session.ts';
import { returnPath } from '../../contract/bff/paths.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { CurrentPasswordField, SingleSignOnLink, useCodeField, withoutCode } from './sign-in-parts.tsx';
import styles from './sign-in-page.module.css';

export function SignInPage() {
  const { from, problem } = useSearch({ from: '/sign-in' });
  const { ways, known } = useLoaderData({ from: '/sign-in' });
  const [{ singleSignOn, passkeys }, setWays] = useState(known ?? byPassword);
  useEffect(() => void ways.then(setWays), [ways]);
  const offersPasskey = passkeys && hasPasskeySupport();
  const router = useRouter();
  const cache = useQueryClient();
  const [passkeyFailure, setPasskeyFailure] = useState<Error | null>(null);
  const { bff } = clientsOf(cache);
  function enter(session: Session): void {
    cache.clear();
    cache.setQueryData(sessionQuery.queryKey, session);
    const next = returnPath(from, location.origin);
    // With a one-time password, nothing else can be loaded yet.
    if (session.mustChangePassword)
      void router.navigate({ to: '/password', search: { from: next }, replace: true });
    else router.history.replace(next);
  }
  const request = useMutation({
    ...signIn,
    onMutate: () => setPasskeyFailure(null),
    onSuccess: enter,
    onError: (error) =>
      code.isAbout(error) ? code.ask(error) : form.setFocus('password', { shouldSelect: true }),
  });
  const alone = useMutation({ ...signInWithPasskey, onSuccess: enter });
  const form = useForm<Credentials>({
    resolver: zodResolver(Credentials),
    defaultValues: { name: '', password: '' },
  });
  const code = useCodeField(form);
  const { errors } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  const failure = passkeyFailure
    ? describeError(passkeyFailure)
    : request.isError
      ? !code.isAbout(request.error) && describeError(request.error)
      : singleSignOnSentence(problem);

  return (
    <main className={styles.page}>
      <title>Sign in · Subscriber Desk</title>
      <form
        className={styles.card}
        noValidate
        onSubmit={(event) => void form.handleSubmit((credentials) => request.mutate(credentials))(event)}
      >
        <Brand size={36} />
        <h1>Sign in to Subscriber Desk</h1>
        <div role="alert">{failure && <Notice tone="bad">{failure}</Notice>}</div>
        <Field label="Name" error={errors.name?.message}>
          {(parts) => (
            <input
              {...parts}
              {...form.register('name')}
              className={inputClass}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <CurrentPasswordField registration={form.register('password')} error={errors.password?.message} />
        {code.field}
        {code.hasPasskey && (
          <PasskeyButton
            label="Use a passkey"
            bff={bff}
            onAnswer={(passkey) => request.mutate({ ...withoutCode(form.getValues()), passkey })}
            onFailure={setPasskeyFailure}
          />
        )}
        <Button type="submit" look="primary" busy={request.isPending}>
          {request.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        {(offersPasskey || singleSignOn) && <p className={styles.or}>or</p>}
        {offersPasskey && (
          <PasskeyButton
            label="Sign in with a passkey"
            bff={bff}
            onAnswer={(passkey) => alone.mutateAsync(passkey)}
            onFailure={setPasskeyFailure}
          />
        )}
        {singleSignOn && (
          <SingleSignOnLink returnTo={returnPath(from, location.origin)} withDivider={false} />
        )}
      </form>
    </main>
  );
}

/** Single sign-on in a new tab ends here. The tab that opened it continues by itself. */
export function SignedInPage() {
  return (
    <main className={styles.page}>
      <title>Signed in · Subscriber Desk</title>
      <div className={styles.card}>
        <Brand size={36} />
        <PageHeading>You’re signed in</PageHeading>
        <p>Close this tab and go back to the previous one to continue.</p>
        <Link to="/subscribers" className={buttonClass()}>
          Continue in this tab
        </Link>
      </div>
    </main>
  );
}
