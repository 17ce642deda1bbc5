import { useRouter } from '@tanstack/react-router';
import type { Session } from '../../contract/bff/session.ts';
import { ApiError } from '../../contract/http/client.ts';
import { discardWork, useApi } from '../api/api.ts';
import { saveDrafts } from '../api/drafts.ts';
import { sessionQuery } from '../api/queries.ts';
import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import { roleNames } from '../api/session.ts';
import { useApp } from '../components/app-context.ts';

/**
 * What happens to the page and to the waiting requests, once the user has signed in or cancels.
 *
 * @param options.former the session whose page it was
 * @param options.onOtherUser rebuilds the page
 */
export function useResume(options: {
  prompt: ReauthenticationPrompt;
  former: Session;
  onOtherUser: () => void;
}) {
  const { prompt, former, onOtherUser } = options;
  const { queryClient, toasts } = useApp();
  const api = useApi();
  const router = useRouter();

  async function resume(session: Session): Promise<void> {
    const isSameUser = session.staff.name === former.staff.name;
    if (isSameUser) await saveDrafts(api);
    if (isSameUser && session.staff.role === former.staff.role) {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      prompt.finish(true);
      toasts.show('ok', 'You are signed in again.');
      return;
    }
    discardWork(api.unfinished);
    prompt.finish(otherUserError());
    // The other user must not see this user's page, and another role may not do all that it offers.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    queryClient.setQueryData(sessionQuery.queryKey, session);
    onOtherUser();
    toasts.clear();
    toasts.show('bad', describeUserChange(former, session));
  }

  function cancel(): void {
    const { href } = router.state.location;
    // A refused request of something on the screen leads to the sign-in page by itself.
    if (queryClient.isFetching({ type: 'active' }) + queryClient.isMutating() === 0)
      void router.navigate({ to: '/sign-in', search: { from: href } });
    prompt.finish(false);
  }

  return { resume: (session: Session) => void resume(session), cancel };
}

const otherUserError = () =>
  new ApiError('other', 'Somebody else signed in, or with another role, so this was not done.', {
    response: new Response(null, { status: 401 }),
  });

function describeUserChange({ staff: before }: Session, { staff: now }: Session): string {
  const user = `You are signed in as ${now.name} (${roleNames[now.role]}) now.`;
  return before.name === now.name
    ? `${user} Your role was ${roleNames[before.role]}, so the page was loaded anew, and what had been asked for was not done.`
    : `${user} The page was ${before.name}’s, so it was loaded anew, and what ${before.name} had asked for was not done.`;
}
