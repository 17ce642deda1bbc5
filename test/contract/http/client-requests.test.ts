import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { required } from '../../support/contract/faults.ts';

/** A client that records its requests; each is answered with 404, which the calls below ignore. */
function makeRecorder(base = 'https://service.example/v1') {
  const requests: Request[] = [];
  const options = {
    base,
    headers: { 'X-Request-Id': 'r1' },
    fetch: async (request: Request) => {
      requests.push(request);
      return new Response(null, { status: 404 });
    },
  };
  const record = async (call: Promise<unknown>) => {
    await call.catch(() => undefined);
    const request = requests.pop();
    if (!request) throw new Error('No request went out.');
    return request;
  };
  return { client: createClient(api, options), bff: createClient(bffApi, options), record, requests };
}

const lineOf = (request: Request) => `${request.method} ${request.url}`;

describe('the request of each operation', () => {
  const { client, record } = makeRecorder();
  const base = 'https://service.example/v1';

  test.each([
    ['listSubscribers', () => client.listSubscribers({ query: {} }), `GET ${base}/subscribers`],
    [
      'listSubscribers with filters',
      () => client.listSubscribers({ query: { Username: 'a b&c=%_\\', Expired: true, Page: 2 } }),
      `GET ${base}/subscribers?Username=a+b%26c%3D%25_%5C&Expired=true&Page=2`,
    ],
    ['createSubscriber', () => client.createSubscriber({ body: required }), `POST ${base}/subscribers`],
    [
      'getSubscriber',
      () => client.getSubscriber({ params: { id: 7 }, query: { include: ['bundles', 'countries'] } }),
      `GET ${base}/subscribers/7?include=bundles%2Ccountries`,
    ],
    [
      'updateSubscriber',
      () => client.updateSubscriber({ params: { id: 7 }, body: {} }),
      `PUT ${base}/subscribers/7`,
    ],
    [
      'deleteSubscriber',
      () => client.deleteSubscriber({ params: { id: 7 } }),
      `DELETE ${base}/subscribers/7`,
    ],
    [
      'getSubscriberByToken',
      () => client.getSubscriberByToken({ params: { accessToken: 'a/../b?c#d%2F' }, query: {} }),
      `GET ${base}/subscribers/by-token/a%2F..%2Fb%3Fc%23d%252F`,
    ],
    [
      'regenerateToken',
      () => client.regenerateToken({ params: { id: 7 } }),
      `POST ${base}/subscribers/7/regenerate-token`,
    ],
    ['listStatuses', () => client.listStatuses({}), `GET ${base}/subscriber-statuses`],
    ['issueToken', () => client.issueToken({ body: {} }), `POST ${base}/oauth/token`],
  ] as const)('%s', async (_, call, line) => {
    expect(lineOf(await record(call()))).toBe(line);
  });

  test('a parameter that is undefined is left out', async () => {
    const query = { Username: undefined, Page: 2 } as object;
    expect(lineOf(await record(client.listSubscribers({ query })))).toBe(`GET ${base}/subscribers?Page=2`);
  });
});

describe('a body', () => {
  test('goes out as JSON, without defaults of our own', async () => {
    const { client, record } = makeRecorder();
    const request = await record(client.createSubscriber({ body: { ...required, note: 'é\n' } }));
    expect(request.headers.get('Content-Type')).toBe('application/json');
    expect(await request.json()).toEqual({ ...required, note: 'é\n' });
  });

  test('of the token request goes out as a form', async () => {
    const { client, record } = makeRecorder();
    const body = { grant_type: 'client_credentials', client_id: 'a b', client_secret: 'p&=+é', scope: 'x y' };
    const request = await record(client.issueToken({ body }));
    expect(request.headers.get('Content-Type')).toBe('application/x-www-form-urlencoded');
    expect(await request.text()).toBe(
      'grant_type=client_credentials&client_id=a+b&client_secret=p%26%3D%2B%C3%A9&scope=x+y',
    );
  });

  test('is absent where the row has none, with its content type', async () => {
    const { client, record } = makeRecorder();
    const request = await record(client.regenerateToken({ params: { id: 7 } }));
    expect(request.body).toBeNull();
    expect(request.headers.has('Content-Type')).toBe(false);
  });
});

describe('headers', () => {
  test('are those of the client, and over them those of the call', async () => {
    const { client, record } = makeRecorder();
    const headers = { 'If-Match': '"5"', 'X-Request-Id': 'r2' };
    const request = await record(client.deleteSubscriber({ params: { id: 7 } }, { headers }));
    expect(Object.fromEntries(request.headers)).toEqual({
      accept: 'application/json',
      'if-match': '"5"',
      'x-request-id': 'r2',
    });
  });
});

describe('a call whose parameters no request can send', () => {
  test.each(['.', '..', 'a\0', '\uD83D', 't'.repeat(257)])(
    'an access token of %j goes nowhere',
    async (accessToken) => {
      const { client, requests } = makeRecorder();
      await expect(
        client.getSubscriberByToken({ params: { accessToken }, query: {} }),
      ).rejects.toHaveProperty('name', '$ZodError');
      expect(requests).toEqual([]);
    },
  );

  test.each([0, -1, 1.5, Number.NaN, 2 ** 53])('an id of %d sends no request', async (id) => {
    const { client, requests } = makeRecorder();
    await expect(client.getSubscriber({ params: { id }, query: {} })).rejects.toHaveProperty(
      'name',
      '$ZodError',
    );
    expect(requests).toEqual([]);
  });
});

test('finding by token through the BFF keeps the token out of the address', async () => {
  const { bff, record } = makeRecorder('https://app.example');
  const request = await record(
    bff.getSubscriberByToken({ body: { accessToken: 'tok', include: ['bundles'] } }),
  );
  expect(lineOf(request)).toBe('POST https://app.example/bff/find-by-token');
  expect(await request.json()).toEqual({ accessToken: 'tok', include: ['bundles'] });
});
