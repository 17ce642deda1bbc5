import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { recentApi, type RecentSubscriber } from '../../contract/bff/recent.ts';
import { createClient } from '../../contract/http/client.ts';
import { apiOf } from '../api/api.ts';

const none: readonly RecentSubscriber[] = [];

/**
 * The subscribers that the user opened last, here or elsewhere, the last one first, without the one that is open now.
 *
 * @param isShown whether they are on the screen
 */
export function useRecentSubscribers(isShown: boolean) {
  const { id: open } = useParams({ strict: false });
  const { data, isLoading } = useQuery({
    // Never those of an earlier reading: the first one would be another subscriber.
    queryKey: ['listRecentSubscribers', isShown],
    queryFn: async ({ client, signal }) =>
      (await createClient(recentApi, apiOf(client).bffOptions).listRecentSubscribers({}, { signal })).data,
    enabled: isShown,
    gcTime: 0,
    retry: false,
  });
  return { subscribers: data?.filter(({ id }) => id !== open) ?? none, isLoading };
}

/** Remembers for the user that a subscriber is open. @param isThere whether it is loaded */
export function useOpened(id: number, isThere: boolean): void {
  const { mutate } = useMutation({
    mutationKey: ['addRecentSubscriber'],
    // A failure is not shown: nobody asked for this.
    mutationFn: (opened: number, { client }) =>
      createClient(recentApi, apiOf(client).bffOptions).addRecentSubscriber({ params: { id: opened } }),
    meta: { invalidates: ['listRecentSubscribers'] },
  });
  const reported = useRef<number>(null);
  useEffect(() => {
    // Once for each time that it is opened: it may be gone and come back, and React may run an effect twice.
    if (!isThere || reported.current === id) return;
    reported.current = id;
    mutate(id);
  }, [id, isThere, mutate]);
}
