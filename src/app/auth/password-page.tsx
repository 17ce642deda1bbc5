import { useRouter, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page.tsx';
import { useApp, WindowTitle } from '../components/app-context.ts';
import { oneTimeTexts, PasswordForm } from './password-form.tsx';
import type { Session } from '../../contract/bff/session.ts';
import { returnPath } from '../../contract/bff/paths.ts';
import styles from './password-page.module.css';

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
