import { describe, expect, test } from 'vitest';
import { problemOf, startService, type TestService } from './harness.ts';
import { anna } from './people.ts';

/** The writes of one subscriber that honour If-Match. */
const writes = [
  ['PUT', '/subscribers/1', { note: 'changed' }],
  ['DELETE', '/subscribers/1', undefined],
  ['POST', '/subscribers/1/regenerate-token', undefined],
] as const;

async function withAnna(): Promise<TestService & { etag: string }> {
  const service = await startService();
  const { etag } = await service.client.createSubscriber({ body: anna });
  return { ...service, etag: etag ?? '' };
}

describe('an ETag', () => {
  test('is the same on every answer of one version, by id and by token', async () => {
    const { client, etag } = await withAnna();
    const read = await client.getSubscriber({ params: { id: 1 }, query: {} });
    const byToken = await client.getSubscriberByToken({
      params: { accessToken: read.data.accessToken },
      query: { include: ['bundles'] },
    });
    expect([read.etag, byToken.etag]).toEqual([etag, etag]);
    expect((await client.deleteSubscriber({ params: { id: 1 } })).etag).toBe(etag);
  });

  test('is another one after each change of a field, a list or the token', async () => {
    const { client, etag } = await withAnna();
    const params = { id: 1 };
    const seen = [
      etag,
      (await client.updateSubscriber({ params, body: { note: 'x' } })).etag,
      (await client.updateSubscriber({ params, body: { bundles: [1] } })).etag,
      (await client.updateSubscriber({ params, body: { note: '', bundles: [] } })).etag,
      (await client.regenerateToken({ params })).etag,
    ];
    expect(new Set(seen).size).toBe(seen.length);
    expect((await client.getSubscriber({ params, query: {} })).etag).toBe(seen.at(-1));
  });

  test('of one subscriber is never that of another', async () => {
    const { client, etag } = await withAnna();
    const other = await client.createSubscriber({ body: { ...anna, username: 'Bert' } });
    expect(other.etag).not.toBe(etag);
  });
});

describe.each(writes)('If-Match on %s %s', (method, path, body) => {
  const send = (service: TestService, ifMatch: string) =>
    service.send(method, path, { headers: { 'If-Match': ifMatch }, ...(body && { body }) });

  test.each([
    ['the ETag', (etag: string) => etag],
    ['a list with the ETag in it', (etag: string) => `"1-99", W/"x" ,${etag}`],
    ['*', () => '*'],
  ])('lets the write through for %s', async (_, ifMatch) => {
    const service = await withAnna();
    expect((await send(service, ifMatch(service.etag))).status).toBe(200);
  });

  test.each([
    ['a version that is over', () => '"1-99"'],
    ['the ETag of another subscriber', () => '"2-1"'],
    ['a weak ETag, which compares to nothing', (etag: string) => `W/${etag}`],
    ['the same number written otherwise', () => '"01-1"'],
    ['what is no ETag', () => 'yesterday'],
    ['nothing', () => ''],
  ])('refuses it, and changes nothing, for %s', async (_, ifMatch) => {
    const service = await withAnna();
    const before = await service.client.getSubscriber({ params: { id: 1 }, query: {} });
    expect(await problemOf(await send(service, ifMatch(service.etag)))).toMatchObject({
      problem: '412 changed-meanwhile',
    });
    expect(await service.client.getSubscriber({ params: { id: 1 }, query: {} })).toEqual(before);
  });

  test.each(['*', '"1-1"'])('is not asked where there is no such subscriber: %s', async (ifMatch) => {
    const service = await startService();
    expect(await problemOf(await send(service, ifMatch))).toMatchObject({
      problem: '404 no-such-subscriber',
    });
  });
});
