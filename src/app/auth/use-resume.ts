import { useRouter } from '@tanstack/react-router';
import type { Session } from '../../contract/bff/session.ts';
import { ApiError } from '../../contract/http/client.ts';
import { discardWork, useApi } from '../api/api.ts';
import { saveDrafts } from '../subscriber/drafts.ts';
import { sessionQuery } from '../api/queries.ts';
import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import { roleNames } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';
import { nameOfPerson } from '../components/person-name.tsx';

/**
 * Decides what happens to the page and to the waiting requests when the user signs in again or cancels.
 *
 * @param options.previous the session that has ended
 * @param options.onOtherUser rebuilds the page
 */
export function useResume(options: {
  prompt: ReauthenticationPrompt;
  previous: Session;
  onOtherUser: () => void;
}) {
  const { prompt, previous, onOtherUser } = options;
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
    discardWork(api.unfinished);
    prompt.finish(otherUserError());
    // The other user must not see this user's page, and another role may not do all that it offers.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    queryClient.setQueryData(sessionQuery.queryKey, session);
    onOtherUser();
    toasts.clear();
    toasts.show('bad', describeUserChange(previous, session));
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

function describeUserChange({ staff: before }: Session, { staff: now }: Session): string {
  const user = `You’re now signed in as ${nameOfPerson(now)} (${roleNames[now.role]}).`;
  return before.id === now.id
    ? `${user} Your role was ${roleNames[before.role]}, so the page was reloaded and your last action wasn’t done.`
    : `${user} The page was reloaded, and ${nameOfPerson(before)}’s last action wasn’t done.`;
}
