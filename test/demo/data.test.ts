import { describe, expect, it } from 'vitest';
import { maskedToken } from '../../src/contract/bff/access-token.ts';
import { countOf, openTab } from '../support/demo/tab.ts';

describe('a data set of the demo', () => {
  it('is of 25 subscribers, none, or 2,000 expired trials and nothing else', async () => {
    expect(await countOf(await openTab({ data: '25' }))).toBe(25);
    expect(await countOf(await openTab({ data: 'empty' }))).toBe(0);
    const trials = await openTab({ data: 'expired-trials' });
    expect(await countOf(trials)).toBe(2000);
    expect(await countOf(trials, { Expired: true, IsTrial: true })).toBe(2000);
  });

  it('is as mixed with 50,000 as with 2,000, and every name and token is unique', async () => {
    const [small, large] = [await openTab({ data: '2000' }), await openTab({ data: '50000' })];
    expect([await countOf(small), await countOf(large)]).toEqual([2000, 50_000]);
    for (const query of [{ Expired: true }, { IsTrial: true }, { Expired: true, IsTrial: true }])
      // Colleagues have changed some of them before.
      expect((await countOf(large, query)) / (await countOf(small, query)) / 25).toBeCloseTo(1, 1);
    const page = { SortBy: 'username', PageSize: 200, Page: 100 } as const;
    const { items } = (await large.service.listSubscribers({ query: page })).data;
    expect(new Set(items.map(({ username }) => username.toLowerCase())).size).toBe(200);
    for (const one of [items.at(0), items.at(-1)]) {
      const { accessToken } = (await large.bff.revealToken({ params: { id: one?.id ?? 0 } })).data;
      expect(accessToken).toMatch(/^[\w-]{43}$/);
      expect(one?.accessToken).toBe(maskedToken(accessToken));
      const body = { accessToken, include: [] };
      expect((await large.bff.getSubscriberByToken({ body })).data.id).toBe(one?.id);
    }
  });
});
