import { describe, expect, test } from 'vitest';
import { listNames } from '../../src/contract/subscriber.ts';
import { anna, annaWhole } from './people.ts';
import { problemOf, startService } from './harness.ts';

describe('createSubscriber', () => {
  test('answers the whole record, with the defaults of what was left out', async () => {
    const { client } = await startService();
    const { data } = await client.createSubscriber({ body: anna });
    expect(data).toEqual({
      id: 1,
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      username: 'Anna',
      email: 'anna@example.com',
      expiresAt: '2026-12-31T22:00:00.000Z',
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
    const { client } = await startService();
    const { data } = await client.createSubscriber({ body: annaWhole });
    expect(data).toEqual({ id: 1, accessToken: data.accessToken, status: 1, ...annaWhole });
    const read = await client.getSubscriber({ params: { id: 1 }, query: { include: [...listNames] } });
    expect(read.data).toEqual(data);
  });

  test('returns the expiry in UTC', async () => {
    const { client } = await startService();
    const { data } = await client.createSubscriber({
      body: { ...anna, expiresAt: '2026-07-01T00:30:00+02:00' },
    });
    expect(data.expiresAt).toBe('2026-06-30T22:30:00.000Z');
  });

  test('gives each subscriber a token of its own', async () => {
    const { client } = await startService();
    const one = await client.createSubscriber({ body: anna });
    const other = await client.createSubscriber({ body: { ...anna, username: 'Bert' } });
    expect(other.data.accessToken).not.toBe(one.data.accessToken);
  });
});

describe('getSubscriber and getSubscriberByToken', () => {
  test('answer the eleven fields, and each list that include names', async () => {
    const { client } = await startService();
    const { accessToken } = (await client.createSubscriber({ body: annaWhole })).data;
    for (const include of [[], ['bundles'], ['countries', 'ipAddresses'], [...listNames]] as const) {
      const query = { include: [...include] };
      const byId = await client.getSubscriber({ params: { id: 1 }, query });
      const byToken = await client.getSubscriberByToken({ params: { accessToken }, query });
      expect(byToken).toEqual(byId);
      expect(listNames.filter((name) => name in byId.data)).toEqual(
        listNames.filter((name) => query.include.includes(name)),
      );
    }
  });

  test('find by the whole token, to the letter', async () => {
    const { client, send } = await startService();
    const { accessToken } = (await client.createSubscriber({ body: anna })).data;
    for (const near of [
      '%25',
      '_'.repeat(43),
      accessToken.toUpperCase(),
      accessToken.slice(1),
      `${accessToken}=`,
    ])
      expect((await send('GET', `/subscribers/by-token/${near}`)).status, near).toBe(404);
  });

  test('take include comma-separated, repeated, and both at once', async () => {
    const { client, send } = await startService();
    await client.createSubscriber({ body: annaWhole });
    const response = await send('GET', '/subscribers/1?include=bundles,countries&include=userAgents,bundles');
    const body = (await response.json()) as object;
    expect(listNames.filter((name) => name in body)).toEqual(['bundles', 'userAgents', 'countries']);
  });

  test('refuse an include of an unknown name', async () => {
    const { client, send } = await startService();
    const { accessToken } = (await client.createSubscriber({ body: anna })).data;
    for (const path of ['/subscribers/1', `/subscribers/by-token/${accessToken}`]) {
      const refused = await problemOf(await send('GET', `${path}?include=bundles,friends`));
      expect(refused).toMatchObject({ problem: '422 invalid-input', fields: ['include.1'] });
    }
  });
});

describe('updateSubscriber', () => {
  test('changes what the body names and keeps what it leaves out', async () => {
    const { client } = await startService();
    const { data } = await client.createSubscriber({ body: annaWhole });
    const one = await client.updateSubscriber({ params: { id: 1 }, body: { isTrial: false, bundles: [] } });
    expect(one.data).toEqual({ ...data, isTrial: false, bundles: [] });
    const nothing = await client.updateSubscriber({ params: { id: 1 }, body: {} });
    expect(nothing.data).toEqual(one.data);
  });

  test('takes the whole body', async () => {
    const { client } = await startService();
    const { data } = await client.createSubscriber({ body: anna });
    const written = await client.updateSubscriber({ params: { id: 1 }, body: annaWhole });
    expect(written.data).toEqual({ ...data, ...annaWhole });
  });
});

describe('deleteSubscriber', () => {
  test('answers the record as it last was, which then is nowhere', async () => {
    const { client, send } = await startService();
    const { data } = await client.createSubscriber({ body: annaWhole });
    expect((await client.deleteSubscriber({ params: { id: 1 } })).data).toEqual(data);
    expect((await client.listSubscribers({ query: {} })).data.totalCount).toBe(0);
    expect(await problemOf(await send('GET', '/subscribers/1'))).toMatchObject({
      problem: '404 no-such-subscriber',
    });
  });

  test('never gives the id of a deleted subscriber to another', async () => {
    const { client } = await startService();
    await client.createSubscriber({ body: anna });
    await client.deleteSubscriber({ params: { id: 1 } });
    expect((await client.createSubscriber({ body: anna })).data.id).toBe(2);
  });
});

describe('regenerateToken', () => {
  test('answers the eleven fields with a new token, and the old one finds nothing', async () => {
    const { client } = await startService();
    const { bundles, ipAddresses, userAgents, countries, ...before } = (
      await client.createSubscriber({ body: annaWhole })
    ).data;
    const { data } = await client.regenerateToken({ params: { id: 1 } });
    expect(data).toEqual({ ...before, accessToken: data.accessToken });
    expect(data.accessToken).toMatch(/^[\w-]{43}$/);
    await expect(
      client.getSubscriberByToken({ params: { accessToken: before.accessToken }, query: {} }),
    ).rejects.toMatchObject({ code: 'no-such-subscriber' });
    const found = await client.getSubscriberByToken({ params: { accessToken: data.accessToken }, query: {} });
    expect(found.data.id).toBe(1);
    expect([bundles, ipAddresses, userAgents, countries]).not.toContain(undefined);
  });
});

describe('listStatuses', () => {
  test('answers the three statuses', async () => {
    const { client } = await startService();
    expect((await client.listStatuses({})).data).toEqual([
      { id: 1, name: 'Active' },
      { id: 2, name: 'Suspended' },
      { id: 3, name: 'Blocked' },
    ]);
  });

  test('answers those that a deployment has added', async () => {
    const { client, db } = await startService();
    await db.insertInto('subscriber_statuses').values({ id: 9, name: 'Paused' }).execute();
    expect((await client.listStatuses({})).data).toContainEqual({ id: 9, name: 'Paused' });
  });
});
