import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListQuery, SubscriberPage } from '../../../contract/service/list-query.ts';
import { subscriberPageQuery } from '../../api/queries.ts';

/**
 * Fetches the page after the one that is shown, so that turning to it waits for nothing.
 *
 * @param wanted whether it is likely to be asked for: the way to it is in sight
 */
export function useNextPageAhead(query: ListQuery, shown: SubscriberPage | undefined, wanted: boolean): void {
  const cache = useQueryClient();
  const next = wanted && shown && shown.page < shown.totalPages ? shown.page + 1 : null;
  const key = JSON.stringify(query);
  useEffect(() => {
    if (next === null) return;
    const present = JSON.parse(key) as ListQuery;
    void cache.prefetchQuery(subscriberPageQuery({ ...present, Page: next }));
  }, [cache, key, next]);
}
