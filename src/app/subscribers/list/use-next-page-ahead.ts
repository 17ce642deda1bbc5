import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListQuery, SubscriberPage } from '../../../contract/list-query.ts';
import { subscriberPageQuery } from '../../api/queries.ts';

/** Fetches the page after the one that is shown, so that turning to it waits for nothing. */
export function useNextPageAhead(query: ListQuery, shown: SubscriberPage | undefined): void {
  const cache = useQueryClient();
  const next = shown && shown.page < shown.totalPages ? shown.page + 1 : null;
  const key = JSON.stringify(query);
  useEffect(() => {
    if (next === null) return;
    const present = JSON.parse(key) as ListQuery;
    void cache.prefetchQuery(subscriberPageQuery({ ...present, Page: next }));
  }, [cache, key, next]);
}
