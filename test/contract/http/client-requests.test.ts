import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { firstReads } from '../../../src/contract/bff/paths.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { createClient } from '../../../src/contract/http/client.ts';

const sent: Request[] = [];
beforeEach(() => void (sent.length = 0));
const fetch = async (request: Request) => {
  sent.push(request);
  return Response.json([]);
};
const client = createClient(api, {
  base: 'https://service.example/v1',
  headers: { 'X-Request-Id': 'r1' },
  fetch,
});

describe('the client', () => {
  it('sends its own headers, and over them those of the call', async () => {
    await client.listStatuses({}, { headers: { 'If-Match': '"5"', 'X-Request-Id': 'r2' } });
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      accept: 'application/json',
      'if-match': '"5"',
      'x-request-id': 'r2',
    });
  });

  it('sends the same by a row without schemas', async () => {
    const { getSubscriber, listSubscribers } = createClient<typeof api>(
      { ...api, ...firstReads.service },
      { base: 'https://service.example/v1', fetch },
    );
    const lists = { include: [...listNames] };
    const filter = { Username: 'Åse & co', Expired: false, StatusIds: '1,2', Page: 2, PageSize: undefined };
    for (const own of [client, { getSubscriber, listSubscribers }]) {
      await own.getSubscriber({ params: { id: 7 }, query: lists }).catch(() => undefined);
      await own.listSubscribers({ query: { ...filter, ...lists } }).catch(() => undefined);
    }
    const urls = sent.map(({ url }) => url);
    expect(urls.slice(0, 2)).toEqual(urls.slice(2));
    expect(urls[0]).toBe(
      'https://service.example/v1/subscribers/7?include=bundles%2CipAddresses%2CuserAgents%2Ccountries',
    );
  });

  it('sends nothing for parameters that no request can have', async () => {
    const refused = { name: '$ZodError' };
    for (const accessToken of ['.', '..', 'a\0', '\uD83D', 't'.repeat(257)])
      await expect(client.getSubscriberByToken({ params: { accessToken }, query: {} })).rejects.toMatchObject(
        refused,
      );
    for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53])
      await expect(client.deleteSubscriber({ params: { id } })).rejects.toMatchObject(refused);
    expect(sent).toEqual([]);
  });
});
