import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { subscribersPath } from '../bff/paths.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { ListQuery, SubscriberPage } from './list-query.ts';
import type { Scope } from './token.ts';
import { Include, Status, SubscriberId, SubscriberWithLists } from './subscriber.ts';

/** A row of the service's table: public, or for access tokens with this scope. The summary is for its description. */
export interface ServiceEndpoint extends Endpoint {
  readonly summary: string;
  readonly access: 'public' | Scope;
}

/** The rows that the first screen needs. The others import the rules of all form fields. */
export const readApi = {
  listSubscribers: {
    method: 'GET',
    path: subscribersPath,
    summary: 'List subscribers, filtered, sorted and in pages',
    access: 'subscribers:read',
    query: ListQuery,
    answer: SubscriberPage,
  },
  getSubscriber: {
    method: 'GET',
    path: `${subscribersPath}/{id}`,
    summary: 'Get a subscriber by its ID',
    access: 'subscribers:read',
    params: SubscriberId,
    query: Include,
    answer: SubscriberWithLists,
    versioned: true,
  },
  listStatuses: {
    method: 'GET',
    path: '/subscriber-statuses',
    summary: 'List the subscriber statuses',
    access: 'subscribers:read',
    answer: z.array(Status),
  },
} as const satisfies Record<string, ServiceEndpoint>;
