import { describe, expect, test } from 'vitest';
import { problemOf } from '../../support/service/problem-of.ts';
import { tokenRequest, type Caller } from './subject.ts';

type Begin = () => Promise<Caller>;
type Body = Readonly<Record<string, unknown>>;

// Written out once more, so that a field that is lost or moved in the contract is missed here.
const required = ['username', 'email', 'expiresAt'];
const usual = [
  ['maxConnections', 1],
  ['isTrial', false],
  ['note', ''],
  ['hls', true],
  ['mpegTs', true],
  ['bundles', []],
  ['ipAddresses', []],
  ['userAgents', []],
  ['countries', []],
] as const;
const subscriber =
  'id accessToken username email expiresAt maxConnections isTrial note status hls mpegTs'.split(' ');
const detail = [...subscriber, 'bundles', 'ipAddresses', 'userAgents', 'countries'];

/** What is sent and answered, field by field. */
export function shapes(begin: Begin): void {
  describe('answers', () => {
    answers(begin);
  });
  describe('a body', () => {
    bodies(begin);
  });
}

/** The names of an answer's fields, in the order in which they came. */
const namesOf = async (answer: Response | Promise<Response>) =>
  Object.keys((await (await answer).json()) as object);

function answers(begin: Begin): void {
  test('a Subscriber is these eleven fields, in this order', async () => {
    const { send, client, annaWhole } = await begin();
    const { id, accessToken } = (await client.createSubscriber({ body: annaWhole })).data;
    const { items } = (await client.listSubscribers({ query: { Username: annaWhole.username } })).data;
    expect(items.map((one) => Object.keys(one))).toEqual([subscriber]);
    for (const [method, path] of [
      ['GET', `/subscribers/${id}`],
      ['GET', `/subscribers/by-token/${accessToken}`],
      ['POST', `/subscribers/${id}/regenerate-token`],
    ] as const)
      expect(await namesOf(send(method, path)), path).toEqual(subscriber);
  });

  test('a SubscriberDetail is those and the four lists, in this order', async () => {
    const { send, annaWhole } = await begin();
    const created = await send('POST', '/subscribers', { body: annaWhole });
    const { id } = (await created.clone().json()) as { id: number };
    expect(await namesOf(created)).toEqual(detail);
    expect(await namesOf(send('PUT', `/subscribers/${id}`, { body: {} }))).toEqual(detail);
    expect(await namesOf(send('DELETE', `/subscribers/${id}`))).toEqual(detail);
  });

  test('a list is items, page, pageSize, totalCount and totalPages; a status is id and name', async () => {
    const { send } = await begin();
    expect(await namesOf(send('GET', '/subscribers'))).toEqual([
      'items',
      'page',
      'pageSize',
      'totalCount',
      'totalPages',
    ]);
    const statuses = (await (await send('GET', '/subscriber-statuses')).json()) as object[];
    expect(new Set(statuses.map((status) => Object.keys(status).join()))).toEqual(new Set(['id,name']));
  });

  test('a token is access_token, token_type, expires_in and scope, its refusal error and error_description', async () => {
    const caller = await begin();
    expect(await namesOf(caller.fetch(tokenRequest(caller, {})))).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'scope',
    ]);
    expect(await namesOf(caller.fetch(tokenRequest(caller, { scope: null })))).toEqual([
      'error',
      'error_description',
    ]);
  });

  test('an error is type, title, status, detail and requestId, and errors by field on 422', async () => {
    const { send } = await begin();
    const usually = ['type', 'title', 'status', 'detail', 'requestId'];
    expect(await namesOf(send('GET', '/nowhere'))).toEqual(usually);
    const refused = await send('GET', '/subscribers?Page=0');
    expect(await namesOf(refused.clone())).toEqual([...usually, 'errors']);
    expect(((await refused.json()) as Body)['errors']).toEqual({
      Page: [expect.stringMatching(/^[A-Z].+\.$/)],
    });
  });
}

function bodies(begin: Begin): void {
  test.each(required)('without %s is refused by that name', async (field) => {
    const { send, annaWhole } = await begin();
    const { [field as 'note']: _, ...body } = annaWhole;
    expect(await problemOf(await send('POST', '/subscribers', { body }))).toMatchObject({
      problem: '422 invalid-input',
      fields: [field],
    });
  });

  test.each(usual)('of a create that leaves out %s has %j', async (field, value) => {
    const { client, annaWhole } = await begin();
    const { [field]: _, ...body } = annaWhole;
    const { data } = await client.createSubscriber({ body });
    expect(data).toEqual({ ...data, ...annaWhole, [field]: value });
  });

  test.each(usual)('of an update with %s alone changes that and nothing else', async (field, value) => {
    const { client, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: annaWhole });
    const written = await client.updateSubscriber({ params: { id: data.id }, body: { [field]: value } });
    expect(written.data).toEqual({ ...data, [field]: value });
  });
}
