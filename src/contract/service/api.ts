import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { firstReads } from '../bff/paths.ts';
import type { Endpoint, InputOf } from '../http/endpoint.ts';
import { ListQuery, SubscriberPage } from './list-query.ts';
import {
  AccessToken,
  Include,
  Status,
  Subscriber,
  SubscriberDetail,
  SubscriberId,
  SubscriberWithLists,
} from './subscriber.ts';
import { CreateBody, UpdateBody } from './subscriber-input.ts';
import { Statistics, StatisticsQuery } from './statistics.ts';
import { TokenAnswer, TokenRequest, type Scope } from './token.ts';

/** A row of the service's table: public, or for access tokens with this scope. The summary is for its description. */
export interface ServiceEndpoint extends Endpoint {
  readonly summary: string;
  readonly access: 'public' | Scope;
}

/** The endpoint table of the Subscriber Management Service. */
export const api = {
  issueToken: {
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange client credentials for an access token',
    access: 'public',
    form: true,
    body: TokenRequest,
    answer: TokenAnswer,
  },
  listSubscribers: {
    ...firstReads.service.listSubscribers,
    summary: 'List subscribers, filtered, sorted and in pages',
    access: 'subscribers:read',
    query: ListQuery,
    answer: SubscriberPage,
  },
  createSubscriber: {
    method: 'POST',
    path: '/subscribers',
    summary: 'Create a subscriber',
    access: 'subscribers:write',
    body: CreateBody,
    answer: SubscriberDetail,
    versioned: true,
  },
  // Before the row with an id, which would take its path.
  getStatistics: {
    method: 'GET',
    path: '/subscribers/statistics',
    summary: 'Count subscribers by status, plan and expiry, by bundle and by country. An extension',
    access: 'subscribers:read',
    query: StatisticsQuery,
    answer: Statistics,
  },
  getSubscriber: {
    ...firstReads.service.getSubscriber,
    summary: 'Get a subscriber by its ID',
    access: 'subscribers:read',
    params: SubscriberId,
    query: Include,
    answer: SubscriberWithLists,
    versioned: true,
  },
  updateSubscriber: {
    method: 'PUT',
    path: '/subscribers/{id}',
    summary: 'Update a subscriber',
    access: 'subscribers:write',
    params: SubscriberId,
    body: UpdateBody,
    answer: SubscriberDetail,
    versioned: true,
  },
  deleteSubscriber: {
    method: 'DELETE',
    path: '/subscribers/{id}',
    summary: 'Delete a subscriber; answers it as it last was',
    access: 'subscribers:write',
    params: SubscriberId,
    answer: SubscriberDetail,
    versioned: true,
  },
  getSubscriberByToken: {
    method: 'GET',
    path: '/subscribers/by-token/{accessToken}',
    summary: 'Get a subscriber by its access token',
    access: 'subscribers:read',
    params: AccessToken,
    query: Include,
    answer: SubscriberWithLists,
    versioned: true,
  },
  regenerateToken: {
    method: 'POST',
    path: '/subscribers/{id}/regenerate-token',
    summary: 'Replace the access token of a subscriber; the old one stops working at once',
    access: 'subscribers:write',
    params: SubscriberId,
    answer: Subscriber,
    versioned: true,
  },
  listStatuses: {
    ...firstReads.service.listStatuses,
    summary: 'List the subscriber statuses',
    access: 'subscribers:read',
    answer: z.array(Status),
  },
} as const satisfies Record<string, ServiceEndpoint>;

export type Api = typeof api;
export type OperationName = keyof Api;
export type OperationInput<N extends OperationName> = InputOf<Api[N]>;

/** True if an operation changes something. It then takes an `Idempotency-Key`. */
export function isChange({ access }: ServiceEndpoint): boolean {
  return access === 'subscribers:write';
}
