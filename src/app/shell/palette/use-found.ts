import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Subscriber } from '../../../contract/service/subscriber.ts';
import type { ListQuery } from '../../../contract/service/list-query.ts';
import { subscriberPageQuery } from '../../api/queries.ts';
import { readFindText } from '../../subscribers/list/find-text.ts';
import { counted } from '../../components/count.ts';
import { reasonOf } from '../../components/failure.tsx';

/** Long enough that a word is one question, short enough to feel at once; in ms. */
const pause = 180;
const most = 8;

export interface Found {
  subscribers: readonly Subscriber[];
  /** The id that the text may be; null where it is none. */
  id: number | null;
  /** What to say of the search; empty where there is nothing to say. */
  sentence: string;
}

/** The subscribers that a text finds by username or email, once one pauses; always those of the text that stands there. */
export function useFound(text: string): Found {
  const finding = readFindText(text);
  const query = finding.kind === 'filter' ? queryOf(finding) : null;
  const settled = useSettled(query ? JSON.stringify(query) : '');
  const isAsked = query !== null && settled === JSON.stringify(query);
  const page = useQuery({
    ...subscriberPageQuery(query ?? {}),
    enabled: isAsked,
  });
  const id = finding.kind === 'filter' ? finding.id : null;
  const none = { subscribers: [], id };
  if (finding.kind === 'refused') return { ...none, sentence: finding.reason };
  if (finding.kind === 'fragment')
    return { ...none, sentence: 'This looks like part of an access token. Paste the whole of it.' };
  if (!query) return { ...none, sentence: '' };
  if (isAsked && page.isError)
    return { ...none, sentence: `Subscribers could not be looked for. ${reasonOf(page.error)}` };
  if (!isAsked || !page.data || page.isPlaceholderData)
    return { ...none, sentence: 'Looking for subscribers…' };
  const { items, totalCount } = page.data;
  const first = totalCount > items.length ? `, the first ${items.length} of them here` : '';
  return { subscribers: items, id, sentence: `${counted(totalCount, 'subscriber')} found${first}.` };
}

function queryOf({ username, email }: { username: string | undefined; email: string | undefined }) {
  if (username === undefined && email === undefined) return null;
  const query: ListQuery = { PageSize: most };
  if (username !== undefined) query.Username = username;
  if (email !== undefined) query.Email = email;
  return query;
}

/** A text as it was when it last stood still. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
