import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { changePassword } from '../api/mutations.ts';
import { sessionQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { useApp } from '../components/app-context.ts';
import { PasswordForm } from './password-form.tsx';
import { returnPath } from '../../contract/bff/paths.ts';
import styles from './password-page.module.css';

/** The own password, changed because one wants to, or because a manager knows the present one. */
export function PasswordPage() {
  const session = useSession();
  const finish = useFinish();
  const change = useMutation({ ...changePassword, onSuccess: finish });
  if (!session) return null;
  const forced = session.mustChangePassword;
  return (
    <div className={styles.screen}>
      <title>Change password · Subscriber Desk</title>
      <PageHeading>{forced ? 'Choose a password of your own' : 'Change your password'}</PageHeading>
      <p>
        {forced
          ? 'You signed in with a one-time password that somebody else has seen. Replace it, and the desk is open to you.'
          : 'Everywhere else that you are signed in, you are signed out.'}
      </p>
      {session.canChangePassword ? (
        <PasswordForm name={session.staff.name} oneTime={forced} onSave={change.mutateAsync} />
      ) : (
        <Notice tone="warn">
          {session.canSignOut
            ? 'You sign in by single sign-on. Change your password there.'
            : 'There are no passwords here: nobody had to sign in.'}
        </Notice>
      )}
    </div>
  );
}

/** Confirms the change, and continues to the address that the user wanted before. */
function useFinish() {
  const { toasts } = useApp();
  const cache = useQueryClient();
  const router = useRouter();
  const from = useSearch({ strict: false, select: (search) => ('from' in search ? search.from : undefined) });
  return (session: Awaited<ReturnType<NonNullable<typeof changePassword.mutationFn>>>) => {
    cache.setQueryData(sessionQuery.queryKey, session);
    toasts.show('ok', 'Your password is changed. Your other sessions have ended.');
    const here = router.state.location;
    const asked = typeof from === 'string' ? from : undefined;
    if (here.pathname === '/password') router.history.push(returnPath(asked, location.origin));
  };
}
