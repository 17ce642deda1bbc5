import { maskedToken } from '../../src/contract/bff/access-token.ts';
import { describe, expect, test } from 'vitest';
import { openTab, type Tab } from '../support/demo/tab.ts';

const count = async ({ service }: Tab, query: Parameters<Tab['service']['listSubscribers']>[0]['query']) =>
  (await service.listSubscribers({ query: { ...query, PageSize: 1 } })).data.totalCount;

describe('the demo’s data set', () => {
  test.each([
    ['25', 25],
    ['2000', 2000],
    ['50000', 50_000],
    ['empty', 0],
  ] as const)('%s has %i subscribers', async (data, all) => {
    expect(await count(await openTab({ data }), {})).toBe(all);
  });

  test('of expired trials contains nothing else', async () => {
    const tab = await openTab({ data: 'expired-trials' });
    expect(await count(tab, {})).toBe(2000);
    expect(await count(tab, { Expired: true, IsTrial: true })).toBe(2000);
  });

  test('of 50,000 is as mixed as the smaller one, and every name and token is unique', async () => {
    const [small, large] = [await openTab({ data: '2000' }), await openTab({ data: '50000' })];
    for (const query of [{ Expired: true }, { IsTrial: true }, { Expired: true, IsTrial: true }])
      expect(await count(large, query)).toBe(25 * (await count(small, query)));
    const page = { SortBy: 'username', PageSize: 200, Page: 100 } as const;
    const { items } = (await large.service.listSubscribers({ query: page })).data;
    expect(new Set(items.map(({ username }) => username.toLowerCase())).size).toBe(200);
    for (const one of [items.at(0), items.at(-1)]) {
      const { accessToken } = (await large.bff.revealToken({ params: { id: one?.id ?? 0 } })).data;
      expect([accessToken, one?.accessToken]).toEqual([
        expect.stringMatching(/^[\w-]{43}$/),
        maskedToken(accessToken),
      ]);
      const body = { accessToken, include: [] };
      expect((await large.bff.getSubscriberByToken({ body })).data.id).toBe(one?.id);
    }
  });
});
