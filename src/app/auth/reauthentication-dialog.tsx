import { useIsMutating } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { bffApi } from '../../contract/bff/api.ts';
import type { Session } from '../../contract/bff/session.ts';
import { ApiError, createClient } from '../../contract/http/client.ts';
import { discardChanges, discardWork, forgetState, useApi } from '../api/api.ts';
import type { FullClient } from '../api/client.ts';
import { byPassword, readSignInWays, sessionQuery } from '../api/queries.ts';
import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import { roleNames, useSession } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { nameOfPerson, PersonName } from '../components/badge.tsx';
import { saveDrafts } from '../subscriber/drafts.ts';
import { oneTimeTexts, PasswordForm } from './password-page.tsx';
import { Or, SingleSignOnLink, useSignIn } from './use-sign-in.tsx';

interface DialogProps {
  prompt: ReauthenticationPrompt;
  /** Called when another user has signed in, to make the page anew. */
  onOtherUser: () => void;
}

interface SignInAgainProps extends DialogProps {
  /** The session that has ended. */
  previous: Session;
}

/**
 * When the session has ended, or signing in has to show that it is the user, asks for the password over the page. Then the
 * user continues where they were.
 */
export function ReauthenticationDialog(props: DialogProps) {
  const session = useSession();
  const isTyping = useIsTyping();
  return session && !isTyping ? <SignInAgain {...props} previous={session} /> : null;
}

/** Time without a letter after which nobody is typing any more, in ms. */
const typingPause = 2_000;

/**
 * True until the user pauses or changes something, if they are in a text field at first. The page itself reads records again
 * and again: a dialog that opens then would take their letters.
 */
function useIsTyping(): boolean {
  const isChanging = useIsMutating() > 0;
  const [isTyping, setTyping] = useState(() => document.activeElement?.matches(textField) ?? false);
  if (isTyping && isChanging) setTyping(false);
  useEffect(() => {
    if (!isTyping) return;
    const waitForPause = () => setTimeout(() => setTyping(false), typingPause);
    let timer = waitForPause();
    const goOn = () => {
      clearTimeout(timer);
      timer = waitForPause();
    };
    document.addEventListener('input', goOn);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('input', goOn);
    };
  }, [isTyping]);
  return isTyping;
}

const textField = 'textarea, input:not([type=checkbox], [type=radio])';

/** The words for each reason. */
const texts = {
  ended: {
    title: 'Sign in again',
    text: 'Your session has ended. Sign in to continue. Nothing you entered is lost.',
  },
  proof: {
    title: 'Confirm that it’s you',
    text: 'You signed in a while ago, and only you may do this. Sign in again, and it’s done.',
  },
} as const;

function SignInAgain(props: SignInAgainProps) {
  const { previous, prompt } = props;
  const { bffOptions } = useApi();
  // The requests of all other clients wait until this dialog is closed.
  const [bff] = useState(() => createClient(bffApi, { ...bffOptions, around: undefined }));
  const { resume, cancel } = useResume(props);
  const [mustChoose, setMustChoose] = useState(false);
  const [ways, setWays] = useState(byPassword);
  useEffect(() => void readSignInWays(bff).then(setWays), [bff]);
  const { canChangePassword: hasPassword, staff } = previous;
  const { title, text } = texts[prompt.reason];

  function enter(session: Session): void {
    // With a one-time password nothing else is allowed until it is changed.
    if (session.mustChangePassword && session.staff.id === staff.id) setMustChoose(true);
    else resume(session);
  }
  const signIn = useSignIn({ bff, name: staff.name, onSignedIn: enter });
  useSignedInElsewhere(bff, (session) => {
    if (prompt.reason === 'ended' || session.isProven || session.staff.id !== staff.id) enter(session);
  });

  if (mustChoose)
    return (
      <Dialog
        key="one-time"
        title={oneTimeTexts.title}
        onClose={cancel}
        actions={<Button onClick={cancel}>Cancel</Button>}
      >
        <p>{oneTimeTexts.reason}</p>
        <PasswordForm
          name={staff.name}
          oneTime
          onSave={async (body) => resume((await bff.changePassword({ body })).data)}
        />
      </Dialog>
    );
  return (
    <Dialog
      key="again"
      title={title}
      onClose={cancel}
      onSubmit={hasPassword ? signIn.submit : undefined}
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          {hasPassword && (
            <Button type="submit" variant="primary" busy={signIn.isBusy}>
              {signIn.isBusy ? 'Signing in…' : 'Sign in'}
            </Button>
          )}
        </>
      }
    >
      <p>{text}</p>
      <p className="row">
        <strong>
          <PersonName person={staff} />
        </strong>{' '}
        {roleNames[staff.role]}
      </p>
      {hasPassword && (
        <div className="stack">
          {signIn.alert}
          {signIn.fields}
        </div>
      )}
      {hasPassword && ways.passkeys && signIn.passkeyAlone}
      {hasPassword && ways.singleSignOn && <Or />}
      {(ways.singleSignOn || !hasPassword) && (
        <SingleSignOnLink
          returnTo="/signed-in"
          again={prompt.reason === 'proof'}
          newTab="Opens in a new tab. Come back to this tab to continue."
        />
      )}
    </Dialog>
  );
}

/**
 * Checks for a new session at once and whenever the user returns to this tab: they may have signed in in another one, or the
 * session may have got another id, as with a new password, while the refused request was on its way.
 */
function useSignedInElsewhere(
  bff: Pick<FullClient, 'getSession'>,
  onSession: (session: Session) => void,
): void {
  const tell = useEffectEvent(onSession);
  useEffect(() => {
    let isMounted = true;
    const check = () => {
      if (document.visibilityState === 'hidden') return;
      bff.getSession({}).then(
        ({ data }) => isMounted && tell(data),
        // Not signed in yet, or the BFF does not answer: the dialog stays.
        () => undefined,
      );
    };
    check();
    window.addEventListener('focus', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      isMounted = false;
      window.removeEventListener('focus', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [bff]);
}

/** Decides what happens to the page and to the waiting requests when the user signs in again or cancels. */
function useResume({ prompt, previous, onOtherUser }: SignInAgainProps) {
  const { queryClient, toasts } = useApp();
  const api = useApi();
  const router = useRouter();

  async function resume(session: Session): Promise<void> {
    const isSameUser = session.staff.id === previous.staff.id;
    if (isSameUser) await saveDrafts(api);
    if (isSameUser && session.staff.role === previous.staff.role) {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      prompt.finish(true);
      if (prompt.reason === 'ended') toasts.show('ok', 'You’re signed in again.');
      return;
    }
    // What could not be saved yet waits for the second factor that the new role may need.
    if (isSameUser) discardChanges(api.unfinished);
    else discardWork(api.unfinished);
    const isChangeLost = queryClient.isMutating() > 0;
    prompt.finish(otherUserError());
    // The other user must not see this user's page, and another role may not do all that it offers.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    queryClient.setQueryData(sessionQuery.queryKey, session);
    forgetState(queryClient);
    onOtherUser();
    toasts.clear();
    toasts.show('bad', describeUserChange(previous, session, isChangeLost));
  }

  function cancel(): void {
    const { href } = router.state.location;
    // A refused request for something on the screen opens the sign-in page by itself.
    const isAwaited = queryClient.isFetching({ type: 'active' }) + queryClient.isMutating() > 0;
    if (prompt.reason === 'ended' && !isAwaited)
      void router.navigate({ to: '/sign-in', search: { from: href } });
    prompt.finish(false);
  }

  return { resume: (session: Session) => void resume(session), cancel };
}

const otherUserError = () =>
  new ApiError('other', 'This wasn’t done: someone else signed in, or your role changed.', {
    response: new Response(null, { status: 401 }),
  });

/** @param isChangeLost false if only reads have waited: what was done before is done, and must not be done again */
function describeUserChange(
  { staff: before }: Session,
  { staff: now }: Session,
  isChangeLost: boolean,
): string {
  const user = `You’re now signed in as ${nameOfPerson(now)} (${roleNames[now.role]}).`;
  const isSame = before.id === now.id;
  const reloaded = isSame
    ? `Your role was ${roleNames[before.role]}, so the page was reloaded`
    : 'The page was reloaded';
  if (!isChangeLost) return `${user} ${reloaded}.`;
  return isSame
    ? `${user} ${reloaded} and your last action wasn’t done.`
    : `${user} ${reloaded}, and ${nameOfPerson(before)}’s last action wasn’t done.`;
}
