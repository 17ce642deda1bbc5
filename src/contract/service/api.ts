import '../http/zod-sentences.ts';
import type { InputOf } from '../http/endpoint.ts';
import { readApi, type ServiceEndpoint } from './read-api.ts';
import {
  AccessToken,
  Include,
  Subscriber,
  SubscriberDetail,
  SubscriberId,
  SubscriberWithLists,
} from './subscriber.ts';
import { CreateBody, UpdateBody } from './subscriber-input.ts';
import { Statistics, StatisticsQuery } from './statistics.ts';
import { TokenAnswer, TokenRequest } from './token.ts';

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
  listSubscribers: readApi.listSubscribers,
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
  getSubscriber: readApi.getSubscriber,
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
  listStatuses: readApi.listStatuses,
} as const satisfies Record<string, ServiceEndpoint>;

export type Api = typeof api;
export type OperationName = keyof Api;
export type OperationInput<N extends OperationName> = InputOf<Api[N]>;

/** True if an operation changes something. It then takes an `Idempotency-Key`. */
export function isChange({ access }: ServiceEndpoint): boolean {
  return access === 'subscribers:write';
}
