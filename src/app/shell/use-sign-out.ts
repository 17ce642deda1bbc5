import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../../contract/http/client.ts';
import { discardWork, useApi } from '../api/api.ts';
import { describeError } from '../api/errors.ts';
import { sessionQuery, tellTabs } from '../api/queries.ts';
import { useApp } from '../components/app-context.ts';
import { saveDrafts } from '../subscriber/drafts.ts';

/** Signs out and clears everything that the next user must not see. */
export function useSignOut(): { leave: () => void; isLeaving: boolean } {
  const { queryClient, toasts } = useApp();
  const router = useRouter();
  const api = useApi();
  const leaving = useMutation({
    mutationKey: ['signOut'],
    // Loaded only now, because the menu itself needs no full client.
    mutationFn: async () => {
      const { clientOf } = await import('../api/client.ts');
      const reply = await clientOf(queryClient).signOut({}).catch(ignoreEnded);
      return reply?.data;
    },
    meta: { invalidates: [] },
    onSuccess: (elsewhere) => {
      const user = queryClient.getQueryData(sessionQuery.queryKey)?.staff;
      queryClient.clear();
      tellTabs(null);
      toasts.clear();
      discardWork(api.unfinished);
      // Or the next user of this browser could sign in with the session at the identity provider.
      if (elsewhere) location.assign(elsewhere.goOnTo);
      else if (user?.singleSignOn) toasts.show('warn', stillElsewhere);
    },
    onError: (error) => {
      // Its answer may be what was lost.
      toasts.show('bad', `You may still be signed in. ${describeError(error)}`);
      router.history.back();
    },
  });

  async function leave(): Promise<void> {
    await saveDrafts(api);
    // Leaves the page first, so that a form with unsaved changes can ask to stay.
    await router.navigate({ to: '/sign-in' });
    if (router.state.location.pathname === '/sign-in') leaving.mutate();
  }

  return { leave: () => void leave(), isLeaving: leaving.isPending };
}

const stillElsewhere =
  'You’re signed out here, and may still be signed in at your single sign-on. Sign out there too, or the next person at this browser can sign in as you.';

/** The session may have ended by itself. */
function ignoreEnded(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not-signed-in') return null;
  throw error;
}
