import { describe, expect, it } from 'vitest';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemLine } from '../../support/service/problem-of.ts';
import type { Begin, Caller } from './subject.ts';

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
  describe.each(writes)('If-Match on %s of a subscriber%s', (method, path, body) => {
    const send = async (caller: WithAnna, ifMatch: string) => {
      const headers = { 'If-Match': tagsOf(caller, ifMatch) };
      const target = `/subscribers/${caller.id}${path}`;
      const response = await caller.send(method, target, { headers, ...(body && { body }) });
      return response.ok ? 'done' : problemLine(response);
    };

    it('lets the write through for the ETag, a list with it, and *', async () => {
      const matching = ['ETAG', '"1-99", W/"x" ,ETAG', '*'];
      await expectOutcomes({ done: matching }, async (tags) => send(await withAnna(begin), tags));
    });

    it('refuses it, and changes nothing, for anything else', async () => {
      const caller = await withAnna(begin);
      const read = async () => {
        const { data, etag } = await caller.client.getSubscriber({ params: { id: caller.id }, query: {} });
        return { data, etag };
      };
      const before = await read();
      // An earlier version, another subscriber, a weak one (which compares to nothing), another spelling, no ETag.
      const others = ['"ID-99"', '"NEXT-1"', 'W/ETAG', '"0ID-1"', 'yesterday', ''];
      await expectOutcomes({ '412 changed-meanwhile': others }, (tags) => send(caller, tags));
      expect(await read()).toEqual(before);
    });

    it('does not matter where there is no such subscriber', async () => {
      const caller = await withAnna(begin);
      await caller.client.deleteSubscriber({ params: { id: caller.id } });
      await expectOutcomes({ '404 no-such-subscriber': ['*', '"ID-1"'] }, (tags) => send(caller, tags));
    });
  });
}

/** Versions of subscribers. */
export function etags(begin: Begin): void {
  it('is the same on every answer of one version, by id and by token', async () => {
    const { client, id, etag } = await withAnna(begin);
    const read = await client.getSubscriber({ params: { id }, query: {} });
    const byToken = await client.getSubscriberByToken({
      params: { accessToken: read.data.accessToken },
      query: { include: ['bundles'] },
    });
    expect([read.etag, byToken.etag]).toEqual([etag, etag]);
    expect((await client.deleteSubscriber({ params: { id } })).etag).toBe(etag);
  });

  it('changes with each change of a field, a list or the token', async () => {
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

  it('belongs to one subscriber alone', async () => {
    const { client, etag, anna, named } = await withAnna(begin);
    const other = await client.createSubscriber({ body: { ...anna, username: named('Bert') } });
    expect(other.etag).not.toBe(etag);
  });
}
