import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RecentSubscriber } from '../../../contract/bff/recent.ts';
import type { SubscriberPage } from '../../../contract/service/list-query.ts';
import { describeError } from '../../api/errors.ts';
import { subscriberPageQuery } from '../../api/queries.ts';
import { fragmentAdvice } from '../../subscriber/token-search.ts';
import { counted } from '../../components/count.ts';
import { isCalled, readFindText } from '../../list/find-text.ts';

/** In ms: long enough that a word is one request, short enough to feel immediate. */
const pause = 180;
const mostFound = 8;

export interface Found {
  subscribers: readonly RecentSubscriber[];
  /** True until the answer is there. */
  isPending?: boolean;
  hasFailed?: boolean;
  /** The id, if the text may be one. */
  id: number | null;
  /** A text that is not searched for by itself, because it may be a part of a token. */
  username?: string | undefined;
  /** The state of the search for the user; may be empty. */
  sentence: string;
}

/** Subscribers by username or email, searched when typing pauses. Never returns those of an earlier text. */
export function useFound(text: string): Found {
  const finding = readFindText(text);
  const query = finding.kind === 'filter' && !finding.needsEnter ? queryOf(finding) : null;
  const settled = useSettled(query ? JSON.stringify(query) : '');
  const isSettled = query !== null && settled === JSON.stringify(query);
  const page = useQuery({
    ...subscriberPageQuery(query ?? {}),
    enabled: isSettled,
  });
  const id = finding.kind === 'filter' ? finding.id : null;
  const none = { subscribers: [], id };
  if (finding.kind === 'refused') return { ...none, sentence: finding.reason };
  if (finding.kind === 'fragment') return { ...none, sentence: fragmentAdvice };
  if (finding.kind === 'filter' && finding.needsEnter)
    return { ...none, username: finding.username, sentence: 'Press Enter to search for this.' };
  if (finding.kind === 'token' && finding.needsEnter)
    return { ...none, sentence: 'Find this token in the box above the list of subscribers.' };
  if (finding.kind !== 'filter' || !query) return { ...none, sentence: '' };
  if (isSettled && page.isError)
    return {
      ...none,
      hasFailed: true,
      sentence: `Couldn’t search subscribers. ${describeError(page.error, 'read')}`,
    };
  if (!isSettled || !page.data || page.isPlaceholderData)
    return { ...none, isPending: true, sentence: 'Searching subscribers…' };
  const isWhole = isCalled(finding.email ?? finding.username);
  const subscribers = page.data.items.toSorted((one, other) => Number(isWhole(other)) - Number(isWhole(one)));
  return { subscribers, id, sentence: describeFound(page.data) };
}

function describeFound({ items, totalCount }: SubscriberPage): string {
  if (totalCount === 0) return 'No subscribers found.';
  const shown = totalCount > items.length ? ` Showing the first ${items.length}.` : '';
  return `${counted(totalCount, 'subscriber')} found.${shown}`;
}

function queryOf({ username, email }: { username: string | undefined; email: string | undefined }) {
  if ((username ?? email) === undefined) return null;
  return { PageSize: mostFound, ...(email === undefined ? { Username: username } : { Email: email }) };
}

/** The text, as soon as it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
