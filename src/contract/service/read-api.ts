import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { subscribersPath } from '../bff/paths.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { ListQuery, SubscriberPage } from './list-query.ts';
import { Include, Status, SubscriberId, SubscriberWithLists } from './subscriber.ts';

/** The rows that the first screen needs; apart from the others, whose bodies bring all the rules of forms along. */
export const readApi = {
  listSubscribers: {
    method: 'GET',
    path: subscribersPath,
    summary: 'List subscribers with filters, an order and pages',
    scope: 'subscribers:read',
    query: ListQuery,
    answer: SubscriberPage,
  },
  getSubscriber: {
    method: 'GET',
    path: `${subscribersPath}/{id}`,
    summary: 'Retrieve a subscriber by its id',
    scope: 'subscribers:read',
    params: SubscriberId,
    query: Include,
    answer: SubscriberWithLists,
    versioned: true,
  },
  listStatuses: {
    method: 'GET',
    path: '/subscriber-statuses',
    summary: 'List the subscriber statuses',
    scope: 'subscribers:read',
    answer: z.array(Status),
  },
} as const satisfies Record<string, Endpoint>;
