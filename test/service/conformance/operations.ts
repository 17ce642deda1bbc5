import { describe, expect, it } from 'vitest';
import { listNames } from '../../../src/contract/service/limits.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemLine } from '../../support/service/problem-of.ts';
import type { Begin } from './subject.ts';

/** The operations on one subscriber, and the statuses. */
export function operations(begin: Begin): void {
  describe.each([
    ['POST /subscribers', create],
    ['GET /subscribers/{id} and by token', read],
    ['PUT /subscribers/{id}', update],
    ['DELETE /subscribers/{id}', remove],
    ['POST /subscribers/{id}/regenerate-token', regenerate],
  ])('%s', (_, describeOperation) => {
    describeOperation(begin);
  });

  describe('GET /subscribers/statistics', () => {
    it('counts each subscriber once by status, plan and expiry, and in each bundle and country', async () => {
      const { client, anna } = await begin();
      const at = Date.parse('2026-01-01T00:00:00Z');
      const Limits = [at, at + 1000].map((time) => new Date(time).toISOString());
      // Before, at and after a limit, and two that are alike.
      for (const [index, after] of [-1000, 0, 0, 1000].entries())
        await client.createSubscriber({
          body: {
            ...anna,
            username: `${anna.username}-${index}`,
            expiresAt: new Date(at + after).toISOString(),
            isTrial: true,
            bundles: Array.from({ length: 14 - index }, (__, bundle) => bundle + index + 1),
          },
        });
      const { data: page } = await client.listSubscribers({
        query: { PageSize: 200, include: ['bundles', 'countries'] },
      });
      const { data } = await client.getStatistics({ query: { Limits } });
      const expected = new Map<string, number>();
      for (const { status, isTrial, expiresAt } of page.items) {
        const from = Limits.findLast((limit) => Date.parse(limit) <= Date.parse(expiresAt)) ?? null;
        const key = JSON.stringify({ status, isTrial, from });
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      expect(page.items.length).toBeGreaterThan(3);
      expect(page.items.length).toBe(page.totalCount);
      expect(new Map(data.groups.map(({ count, ...group }) => [JSON.stringify(group), count]))).toEqual(
        expected,
      );
      expect(data.statuses).toEqual((await client.listStatuses({})).data);
      for (const list of ['bundles', 'countries'] as const) {
        const having = new Map<string | number, number>();
        for (const value of page.items.flatMap((item): (string | number)[] => item[list] ?? []))
          having.set(value, (having.get(value) ?? 0) + 1);
        const counts = [...having.values()].toSorted((one, other) => other - one);
        const { most = [], others } = data.values?.[list] ?? {};
        expect(most.map(({ count }) => count)).toEqual(counts.slice(0, 10));
        expect(most).toEqual(most.map(({ value }) => ({ value, count: having.get(value) })));
        const count = counts.slice(10).reduce((sum, one) => sum + one, 0);
        expect(others).toEqual({ values: Math.max(0, counts.length - 10), count });
      }
      expect(data.values?.bundles.others.values).toBeGreaterThan(0);
    });

    it('refuses limits that are no instants, too many or out of order', async () => {
      const { send } = await begin();
      const later = '2026-01-01T00:00:00Z';
      const odd = ['now', `${later},${later}`, `${later},2025-01-01T00:00:00Z`, Array(61).fill(later).join()];
      for (const limits of odd) {
        const answer = await send(
          'GET',
          `/subscribers/statistics?${new URLSearchParams({ Limits: limits })}`,
        );
        expect(answer.status, limits).toBe(422);
      }
    });
  });

  describe('GET /subscriber-statuses', () => {
    it('answers Active, Suspended and Blocked at least', async () => {
      const { client } = await begin();
      expect((await client.listStatuses({})).data).toEqual(
        expect.arrayContaining([
          { id: 1, name: 'Active' },
          { id: 2, name: 'Suspended' },
          { id: 3, name: 'Blocked' },
        ]),
      );
    });
  });
}

function create(begin: Begin): void {
  it('answers 200 with the whole record, active, with the defaults of what was left out', async () => {
    const { send, anna } = await begin();
    const response = await send('POST', '/subscribers', { body: anna });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: expect.any(Number),
      accessToken: expect.any(String),
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

  it('stores every field that was given, and the order of the lists', async () => {
    const { client, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: annaWhole });
    expect(data).toEqual({ id: data.id, accessToken: data.accessToken, status: 1, ...annaWhole });
    const query = { include: [...listNames] };
    expect((await client.getSubscriber({ params: { id: data.id }, query })).data).toEqual(data);
  });

  it('gives each subscriber an id and a token of its own', async () => {
    const { client, anna, named } = await begin();
    const one = (await client.createSubscriber({ body: anna })).data;
    const other = (await client.createSubscriber({ body: { ...anna, username: named('Bert') } })).data;
    expect(other.accessToken).not.toBe(one.accessToken);
    expect(other.id).not.toBe(one.id);
  });
}

function read(begin: Begin): void {
  it('answers the eleven fields, and each list that include names', async () => {
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

  it('takes include comma-separated, repeated, both at once or empty, and refuses unknown names', async () => {
    const { client, send, annaWhole } = await begin();
    const { id, accessToken } = (await client.createSubscriber({ body: annaWhole })).data;
    const paths = [`/subscribers/${id}`, `/subscribers/by-token/${accessToken}`];
    for (const path of paths) {
      const listsOf = async (query: string) => {
        const body = (await (await send('GET', `${path}?${query}`)).json()) as object;
        return listNames.filter((name) => name in body).join();
      };
      await expectOutcomes(
        {
          'bundles,userAgents,countries': ['include=bundles,countries&include=userAgents,bundles'],
          '': ['include='],
        },
        listsOf,
      );
    }
    await expectOutcomes({ '422 invalid-input: include.1': paths }, async (path) =>
      problemLine(await send('GET', `${path}?include=bundles,friends`)),
    );
  });

  it('finds by the whole token, to the letter', async () => {
    const { client, send, anna } = await begin();
    const { accessToken } = (await client.createSubscriber({ body: anna })).data;
    const near = ['%25', '_'.repeat(43), swapCase(accessToken), accessToken.slice(1), `${accessToken}=`];
    await expectOutcomes({ '404 no-such-subscriber': near }, async (token) =>
      problemLine(await send('GET', `/subscribers/by-token/${token}`)),
    );
  });
}

const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));

function update(begin: Begin): void {
  it('changes what the body names, up to all of it, and leaves the rest', async () => {
    const { client, anna, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: anna });
    const params = { id: data.id };
    const whole = { ...data, ...annaWhole };
    expect((await client.updateSubscriber({ params, body: annaWhole })).data).toEqual(whole);
    const less = { ...whole, isTrial: false, bundles: [] };
    const body = { isTrial: false, bundles: [] };
    expect((await client.updateSubscriber({ params, body })).data).toEqual(less);
    expect((await client.updateSubscriber({ params, body: {} })).data).toEqual(less);
  });
}

function remove(begin: Begin): void {
  it('answers the record as it last was, which then is nowhere', async () => {
    const { client, send, annaWhole } = await begin();
    const { data } = await client.createSubscriber({ body: annaWhole });
    const params = { id: data.id };
    expect((await client.deleteSubscriber({ params })).data).toEqual(data);
    const query = { Username: annaWhole.username };
    expect((await client.listSubscribers({ query })).data.totalCount).toBe(0);
    for (const path of [`/subscribers/${data.id}`, `/subscribers/by-token/${data.accessToken}`])
      expect(await problemLine(await send('GET', path))).toBe('404 no-such-subscriber');
  });

  it('leaves the id of a deleted subscriber to no other', async () => {
    const { client, anna } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    await client.deleteSubscriber({ params: { id } });
    expect((await client.createSubscriber({ body: anna })).data.id).toBeGreaterThan(id);
  });
}

function regenerate(begin: Begin): void {
  it('answers the eleven fields with a new token, and the old one finds nothing', async () => {
    const { client, annaWhole } = await begin();
    const whole = (await client.createSubscriber({ body: annaWhole })).data;
    const { bundles: _, ipAddresses: __, userAgents: ___, countries: ____, ...before } = whole;
    const { data } = await client.regenerateToken({ params: { id: whole.id } });
    expect(data).toEqual({ ...before, accessToken: expect.any(String) });
    expect(data.accessToken).not.toBe(before.accessToken);
    const find = (accessToken: string) => client.getSubscriberByToken({ params: { accessToken }, query: {} });
    await expect(find(before.accessToken)).rejects.toMatchObject({ code: 'no-such-subscriber' });
    expect((await find(data.accessToken)).data.id).toBe(whole.id);
  });

  it('gives a token of 32 bytes in base64url, as a creation does', async () => {
    const { client, anna } = await begin();
    const { id, accessToken } = (await client.createSubscriber({ body: anna })).data;
    const { data } = await client.regenerateToken({ params: { id } });
    for (const token of [accessToken, data.accessToken]) expect(token).toMatch(/^[\w-]{43}$/);
  });
}
