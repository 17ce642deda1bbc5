import * as z from 'zod/mini';
import { Subscriber, SubscriberId } from '../service/subscriber.ts';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

/** Most subscribers in an account's list of those opened last. */
export const recentLimit = 10;

/** A subscriber that somebody opened, as it is named now. */
const { id, username, email } = Subscriber.shape;
const RecentSubscriber = z.object({ id, username, email });
export type RecentSubscriber = z.infer<typeof RecentSubscriber>;

/** The rows of `bffApi` about them, apart because each page with a subscriber needs them. */
export const recentApi = {
  listRecentSubscribers: {
    method: 'GET',
    path: `${bffBase}/recent-subscribers`,
    access: 'signed-in',
    budget: 'list',
    answer: z.array(RecentSubscriber),
  },
  addRecentSubscriber: {
    method: 'PUT',
    path: `${bffBase}/recent-subscribers/{id}`,
    access: 'signed-in',
    budget: 'note',
    params: SubscriberId,
    answer: z.undefined(),
  },
} as const satisfies Record<string, BffEndpoint>;
