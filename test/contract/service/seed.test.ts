import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { ListQuery, pageSizes, sortOrders } from '../../../src/contract/service/list-query.ts';
import { listNames, Subscriber, SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { CreateBody, SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { tokenErrors, TokenRequest } from '../../../src/contract/service/token.ts';

/** The names that the interface document of the service states, written out: they are facts, not choices. */
const inEveryAnswer = [
  'id',
  'accessToken',
  'username',
  'email',
  'expiresAt',
  'maxConnections',
  'isTrial',
  'note',
  'status',
  'hls',
  'mpegTs',
];
const lists = ['bundles', 'ipAddresses', 'userAgents', 'countries'];
const inBodies = [
  'username',
  'email',
  'expiresAt',
  'maxConnections',
  'isTrial',
  'note',
  'hls',
  'mpegTs',
  ...lists,
];

describe('the interface document’s names', () => {
  test('are the fields of a subscriber, in their order', () => {
    expect(Object.keys(Subscriber.shape)).toEqual(inEveryAnswer);
    expect(Object.keys(SubscriberDetail.shape)).toEqual([...inEveryAnswer, ...lists]);
    expect(listNames).toEqual(lists);
  });

  test('are the fields of the body to create and to update', () => {
    expect(Object.keys(CreateBody.shape)).toEqual(inBodies);
    expect(Object.keys(SubscriberInput.shape)).toEqual(inBodies);
    expect(Object.keys(api.updateSubscriber.body.shape)).toEqual(inBodies);
  });

  test('are the fields that regenerating a token answers', () => {
    expect(Object.keys(api.regenerateToken.answer.shape)).toEqual(inEveryAnswer);
  });

  test('are the parameters of the list, with four declared extensions', () => {
    expect(Object.keys(ListQuery.shape)).toEqual([
      'Username',
      'Email',
      'AccessToken',
      'StatusId',
      'Expired',
      'IsTrial',
      'ExpiresFrom',
      'ExpiresTo',
      'AfterId',
      'SortBy',
      'Page',
      'PageSize',
    ]);
    expect(sortOrders).toEqual(['username', 'username_desc', 'expiresAt', 'expiresAt_desc']);
    expect(pageSizes.usual).toBe(25);
  });

  test('are those of the token request', () => {
    expect(api.issueToken).toMatchObject({ method: 'POST', path: '/oauth/token', form: true });
    expect(Object.keys(TokenRequest.shape).toSorted()).toEqual([
      'client_id',
      'client_secret',
      'grant_type',
      'scope',
    ]);
    expect(tokenErrors).toMatchObject({
      invalid_client: 401,
      unsupported_grant_type: 401,
      invalid_request: 404,
    });
  });

  test('are nine operations', () => {
    expect(Object.keys(api)).toHaveLength(9);
    const included = Object.entries(api).filter(([, row]) => 'query' in row && 'include' in row.query.shape);
    expect(included.map(([name]) => name)).toEqual(['getSubscriber', 'getSubscriberByToken']);
  });
});
