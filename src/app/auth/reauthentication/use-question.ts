import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { onQuestion, type Question } from '../../api/sign-in-again.ts';

/** The question for the password, while a session that this page knew of is over; null where nothing is asked. */
export function useQuestion(): Question | null {
  const cache = useQueryClient();
  const isKnown = useSession() !== undefined;
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    return onQuestion((next) => {
      const isAsked = next === null || isAwaited(cache);
      if (isAsked) setQuestion(next);
      return isAsked;
    });
  }, [cache, isKnown]);
  return question;
}

/** Pages that are fetched ahead are no reason to interrupt anybody. */
function isAwaited(cache: QueryClient): boolean {
  const awaited = cache.isFetching({ type: 'active' }) + cache.isMutating();
  return awaited > 0 || cache.isFetching() === 0;
}
