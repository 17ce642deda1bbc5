import { useIsMutating } from '@tanstack/react-query';
import { Link, useLoaderData, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { returnPath } from '../../contract/bff/paths.ts';
import type { Session } from '../../contract/bff/session.ts';
import { singleSignOnSentence } from '../../contract/bff/single-sign-on.ts';
import { discardWork, useApi } from '../api/api.ts';
import { clientOf } from '../api/client.ts';
import { hasPasskeySupport } from '../api/passkeys.ts';
import { byPassword, sessionQuery } from '../api/queries.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Form } from '../components/field.tsx';
import { Brand } from '../components/icon.tsx';
import { useApp, WindowTitle } from '../components/app-context.ts';
import { saveDrafts } from '../subscriber/drafts.ts';
import { PageHeading } from '../components/page.tsx';
import { Or, SingleSignOnLink, useSignIn } from './use-sign-in.tsx';
import styles from './sign-in-page.module.css';

export function SignInPage() {
  const { from, problem } = useSearch({ from: '/sign-in' });
  const { ways, known } = useLoaderData({ from: '/sign-in' });
  const [{ singleSignOn, passkeys }, setWays] = useState(known ?? byPassword);
  useEffect(() => void ways.then(setWays), [ways]);
  const offersPasskey = passkeys && hasPasskeySupport();
  const router = useRouter();
  const { productName, queryClient: cache, toasts } = useApp();
  const api = useApi();
  const returnTo = returnPath(from, location.origin);
  const signIn = useSignIn({
    bff: clientOf(cache),
    failure: singleSignOnSentence(problem),
    async onSignedIn(session: Session) {
      // The session of the user before may have ended without a sign-out.
      if (session.staff.id === cache.getQueryData(sessionQuery.queryKey)?.staff.id) await saveDrafts(api);
      else {
        discardWork(api.unfinished);
        toasts.clear();
      }
      cache.clear();
      cache.setQueryData(sessionQuery.queryKey, session);
      // With a one-time password, nothing else can be loaded yet.
      if (session.mustChangePassword)
        void router.navigate({ to: '/password', search: { from: returnTo }, replace: true });
      else router.history.replace(returnTo);
    },
  });
  // The page opens before the sign-out is done. Its answer would end the session of who signs in before.
  const isLeaving = useIsMutating({ mutationKey: ['signOut'] }) > 0;
  const { setFocus } = signIn;
  useEffect(() => setFocus('name'), [setFocus]);

  return (
    <main className={styles.page}>
      <WindowTitle>Sign in</WindowTitle>
      <Form
        className={`card stack ${styles.card}`}
        onSubmit={() => {
          if (!isLeaving) signIn.submit();
        }}
      >
        <Brand size={36} />
        <h1>Sign in to {productName}</h1>
        {signIn.alert}
        {signIn.fields}
        <Button type="submit" variant="primary" busy={signIn.isBusy || isLeaving}>
          {isLeaving ? 'Signing out…' : signIn.isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        {!isLeaving && (
          <>
            {(offersPasskey || singleSignOn) && <Or />}
            {offersPasskey && signIn.passkeyAlone}
            {singleSignOn && <SingleSignOnLink returnTo={returnTo} />}
          </>
        )}
      </Form>
    </main>
  );
}

/** Single sign-on in a new tab ends here. The tab that opened it continues by itself. */
export function SignedInPage() {
  return (
    <main className={styles.page}>
      <WindowTitle>Signed in</WindowTitle>
      <div className={`card stack ${styles.card}`}>
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
