import { describe, expect, test } from 'vitest';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

/** The writes of one subscriber that honour If-Match. */
const writes = [
  ['PUT', '', { note: 'changed' }],
  ['DELETE', '', undefined],
  ['POST', '/regenerate-token', undefined],
] as const;

interface WithAnna extends Caller {
  id: number;
  etag: string;
}

async function withAnna(begin: Begin): Promise<WithAnna> {
  const caller = await begin();
  const { data, etag } = await caller.client.createSubscriber({ body: caller.anna });
  return { ...caller, id: data.id, etag: etag ?? '' };
}

/** `"id-version"` and neighbours of it, by what a test writes with `ID` and `ETAG` in it. */
const tagsOf = ({ id, etag }: WithAnna, text: string) =>
  text
    .replaceAll('ETAG', etag)
    .replaceAll('NEXT', String(id + 1))
    .replaceAll('ID', String(id));

export function conflicts(begin: Begin): void {
  describe('an ETag', () => {
    etags(begin);
  });
  describe.each(writes)('If-Match on %s of a subscriber%s', (method, path, body) => {
    const send = (caller: WithAnna, ifMatch: string) =>
      caller.send(method, `/subscribers/${caller.id}${path}`, {
        headers: { 'If-Match': ifMatch },
        ...(body && { body }),
      });

    test.each([
      ['the ETag', 'ETAG'],
      ['a list with the ETag in it', '"1-99", W/"x" ,ETAG'],
      ['*', '*'],
    ])('lets the write through for %s', async (_, ifMatch) => {
      const caller = await withAnna(begin);
      expect((await send(caller, tagsOf(caller, ifMatch))).status).toBe(200);
    });

    test.each([
      ['a version that is over', '"ID-99"'],
      ['the ETag of another subscriber', '"NEXT-1"'],
      ['a weak ETag, which compares to nothing', 'W/ETAG'],
      ['the same number written otherwise', '"0ID-1"'],
      ['what is no ETag', 'yesterday'],
      ['nothing', ''],
    ])('refuses it, and changes nothing, for %s', async (_, ifMatch) => {
      const caller = await withAnna(begin);
      const read = async () => {
        const { data, etag } = await caller.client.getSubscriber({ params: { id: caller.id }, query: {} });
        return { data, etag };
      };
      const before = await read();
      expect(await problemOf(await send(caller, tagsOf(caller, ifMatch)))).toMatchObject({
        problem: '412 changed-meanwhile',
      });
      expect(await read()).toEqual(before);
    });

    test.each(['*', '"ID-1"'])('is not asked where there is no such subscriber: %s', async (ifMatch) => {
      const caller = await withAnna(begin);
      await caller.client.deleteSubscriber({ params: { id: caller.id } });
      expect(await problemOf(await send(caller, tagsOf(caller, ifMatch)))).toMatchObject({
        problem: '404 no-such-subscriber',
      });
    });
  });
}

function etags(begin: Begin): void {
  test('is the same on every answer of one version, by id and by token', async () => {
    const { client, id, etag } = await withAnna(begin);
    const read = await client.getSubscriber({ params: { id }, query: {} });
    const byToken = await client.getSubscriberByToken({
      params: { accessToken: read.data.accessToken },
      query: { include: ['bundles'] },
    });
    expect([read.etag, byToken.etag]).toEqual([etag, etag]);
    expect((await client.deleteSubscriber({ params: { id } })).etag).toBe(etag);
  });

  test('is another one after each change of a field, a list or the token', async () => {
    const { client, id, etag } = await withAnna(begin);
    const params = { id };
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
    const { client, etag, anna, named } = await withAnna(begin);
    const other = await client.createSubscriber({ body: { ...anna, username: named('Bert') } });
    expect(other.etag).not.toBe(etag);
  });
}
