import { describe, expect, test } from 'vitest';
import { listNames } from '../../../src/contract/service/subscriber.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

/** The operations on one subscriber, and the statuses. */
export function operations(begin: Begin): void {
  describe('createSubscriber', () => {
    create(begin);
  });
  describe('getSubscriber and getSubscriberByToken', () => {
    read(begin);
  });
  describe('updateSubscriber', () => {
    update(begin);
  });
  describe('deleteSubscriber', () => {
    remove(begin);
  });
  describe('regenerateToken', () => {
    regenerate(begin);
  });

  test('listStatuses answers Active, Suspended and Blocked at least', async () => {
    const { client } = await begin();
    expect((await client.listStatuses({})).data).toEqual(
      expect.arrayContaining([
        { id: 1, name: 'Active' },
        { id: 2, name: 'Suspended' },
        { id: 3, name: 'Blocked' },
      ]),
    );
  });
}

function create(begin: Begin): void {
  test('answers 200 with the whole record, active, with the defaults of what was left out', async () => {
    const { send, anna } = await begin();
    const response = await send('POST', '/subscribers', { body: anna });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: expect.any(Number),
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      ...anna,
      maxConnections: 1,
      isTrial: false,
      note: '',
      status: 1,
      hls: true,
      mpegTs: true,
      bundles: [],
      ipAddresses: [],
      userAgents: [],
      countries: [],
    });
  });

  test('keeps every field that was given, and the order of the lists', async () => {
    const { client, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: annaWhole });
    expect(data).toEqual({ id: data.id, accessToken: data.accessToken, status: 1, ...annaWhole });
    const query = { include: [...listNames] };
    expect((await client.getSubscriber({ params: { id: data.id }, query })).data).toEqual(data);
  });

  test('gives each subscriber an id and a token of its own', async () => {
    const { client, anna, named } = await begin();
    const one = (await client.createSubscriber({ body: anna })).data;
    const other = (await client.createSubscriber({ body: { ...anna, username: named('Bert') } })).data;
    expect(other.accessToken).not.toBe(one.accessToken);
    expect(other.id).not.toBe(one.id);
  });
}

function read(begin: Begin): void {
  test('answer the eleven fields, and each list that include names', async () => {
    const { client, annaWhole } = await begin();
    const { id, accessToken } = (await client.createSubscriber({ body: annaWhole })).data;
    for (const include of [[], ['bundles'], ['countries', 'ipAddresses'], [...listNames]] as const) {
      const query = { include: [...include] };
      const byId = await client.getSubscriber({ params: { id }, query });
      const byToken = await client.getSubscriberByToken({ params: { accessToken }, query });
      expect(byToken.data).toEqual(byId.data);
      expect(byToken.etag).toBe(byId.etag);
      expect(Object.keys(byId.data)).toHaveLength(11 + include.length);
      expect(listNames.filter((name) => name in byId.data)).toEqual(
        listNames.filter((name) => query.include.includes(name)),
      );
    }
  });

  test('find by the whole token, to the letter', async () => {
    const { client, send, anna } = await begin();
    const { accessToken } = (await client.createSubscriber({ body: anna })).data;
    const near = ['%25', '_'.repeat(43), swapCase(accessToken), accessToken.slice(1), `${accessToken}=`];
    for (const token of near)
      expect((await send('GET', `/subscribers/by-token/${token}`)).status, token).toBe(404);
  });

  test('take include comma-separated, repeated, and both at once', async () => {
    const { client, send, annaWhole } = await begin();
    const { id } = (await client.createSubscriber({ body: annaWhole })).data;
    const response = await send(
      'GET',
      `/subscribers/${id}?include=bundles,countries&include=userAgents,bundles`,
    );
    const body = (await response.json()) as object;
    expect(listNames.filter((name) => name in body)).toEqual(['bundles', 'userAgents', 'countries']);
  });

  test('answer the eleven fields for an include of nothing', async () => {
    const { client, send, anna } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    const body = (await (await send('GET', `/subscribers/${id}?include=`)).json()) as object;
    expect(Object.keys(body)).toHaveLength(11);
  });

  test('refuse an include of an unknown name', async () => {
    const { client, send, anna } = await begin();
    const { id, accessToken } = (await client.createSubscriber({ body: anna })).data;
    for (const path of [`/subscribers/${id}`, `/subscribers/by-token/${accessToken}`]) {
      const refused = await problemOf(await send('GET', `${path}?include=bundles,friends`));
      expect(refused).toMatchObject({ problem: '422 invalid-input', fields: ['include.1'] });
    }
  });
}

const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));

function update(begin: Begin): void {
  test('changes what the body names and keeps what it leaves out', async () => {
    const { client, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: annaWhole });
    const params = { id: data.id };
    const one = await client.updateSubscriber({ params, body: { isTrial: false, bundles: [] } });
    expect(one.data).toEqual({ ...data, isTrial: false, bundles: [] });
    expect((await client.updateSubscriber({ params, body: {} })).data).toEqual(one.data);
  });

  test('takes the whole body', async () => {
    const { client, anna, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: anna });
    const written = await client.updateSubscriber({ params: { id: data.id }, body: annaWhole });
    expect(written.data).toEqual({ ...data, ...annaWhole });
  });
}

function remove(begin: Begin): void {
  test('answers the record as it last was, which then is nowhere', async () => {
    const { client, send, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: annaWhole });
    const params = { id: data.id };
    expect((await client.deleteSubscriber({ params })).data).toEqual(data);
    const query = { Username: annaWhole.username };
    expect((await client.listSubscribers({ query })).data.totalCount).toBe(0);
    for (const path of [`/subscribers/${data.id}`, `/subscribers/by-token/${data.accessToken}`])
      expect(await problemOf(await send('GET', path))).toMatchObject({ problem: '404 no-such-subscriber' });
  });

  test('never gives the id of a deleted subscriber to another', async () => {
    const { client, anna } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    await client.deleteSubscriber({ params: { id } });
    expect((await client.createSubscriber({ body: anna })).data.id).toBeGreaterThan(id);
  });
}

function regenerate(begin: Begin): void {
  test('answers the eleven fields with a new token, and the old one finds nothing', async () => {
    const { client, annaWhole } = await begin();
    const whole = (await client.createSubscriber({ body: annaWhole })).data;
    const { bundles: _, ipAddresses: __, userAgents: ___, countries: ____, ...before } = whole;
    const { data } = await client.regenerateToken({ params: { id: whole.id } });
    expect(data).toEqual({ ...before, accessToken: expect.stringMatching(/^[\w-]{43}$/) });
    expect(data.accessToken).not.toBe(before.accessToken);
    const find = (accessToken: string) => client.getSubscriberByToken({ params: { accessToken }, query: {} });
    await expect(find(before.accessToken)).rejects.toMatchObject({ code: 'no-such-subscriber' });
    expect((await find(data.accessToken)).data.id).toBe(whole.id);
  });
}
