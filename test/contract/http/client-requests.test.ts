import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';

const sent: Request[] = [];
beforeEach(() => void (sent.length = 0));
const client = createClient(api, {
  base: 'https://service.example/v1',
  headers: { 'X-Request-Id': 'r1' },
  fetch: async (request) => {
    sent.push(request);
    return Response.json([]);
  },
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
