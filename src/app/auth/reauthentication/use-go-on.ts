import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../../../contract/http/client.ts';
import type { Session } from '../../../contract/bff/session.ts';
import { keepAll } from '../../api/drafts.ts';
import { tellLeaving } from '../../api/session-events.ts';
import { sessionQuery } from '../../api/queries.ts';
import { roleNames } from '../../api/role-names.ts';
import type { Question } from '../../api/sign-in-again.ts';
import { useApp } from '../../components/app-context.ts';

interface Asked {
  question: Question;
  /** Whose page it was. */
  former: Session;
  /** Builds the page anew. */
  onSomebodyElse: () => void;
}

/** What becomes of the page and of what waits, once somebody has signed in or does not want to. */
export function useGoOn({ question, former, onSomebodyElse }: Asked) {
  const { toasts } = useApp();
  const cache = useQueryClient();
  const router = useRouter();

  async function goOn(session: Session): Promise<void> {
    const isSame = session.staff.name === former.staff.name;
    if (isSame) await keepAll();
    if (isSame && session.staff.role === former.staff.role) {
      cache.setQueryData(sessionQuery.queryKey, session);
      question.answer(true);
      toasts.show('ok', 'You are signed in again.');
      return;
    }
    tellLeaving('signed-out');
    question.answer(notSent());
    // The page of the one is not for the eyes of the other, and not all that it offers is for the other role.
    cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    cache.setQueryData(sessionQuery.queryKey, session);
    onSomebodyElse();
    toasts.clear();
    toasts.show('bad', changeOf(former, session));
  }

  function cancel(): void {
    const { href } = router.state.location;
    // What is refused leads to the sign-in page by itself, where it belongs to something on the screen.
    if (cache.isFetching({ type: 'active' }) + cache.isMutating() === 0)
      void router.navigate({ to: '/sign-in', search: { from: href } });
    question.answer(false);
  }

  return { goOn: (session: Session) => void goOn(session), cancel };
}

const notSent = () =>
  new ApiError('other', 'Somebody else signed in, or with another role, so this was not done.', {
    response: new Response(null, { status: 401 }),
  });

function changeOf({ staff: before }: Session, { staff: now }: Session): string {
  const who = `You are signed in as ${now.name} (${roleNames[now.role]}) now.`;
  return before.name === now.name
    ? `${who} Your role was ${roleNames[before.role]}, so the page was loaded anew, and what had been asked for was not done.`
    : `${who} The page was ${before.name}’s, so it was loaded anew, and what ${before.name} had asked for was not done.`;
}
