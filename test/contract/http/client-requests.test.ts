import { describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { required } from '../../support/contract/faults.ts';

const requests: Request[] = [];
const options = {
  base: 'https://service.example/v1',
  headers: { 'X-Request-Id': 'r1' },
  fetch: async (request: Request) => {
    requests.push(request);
    return new Response(null, { status: 404 });
  },
};
const client = createClient(api, options);
const bff = createClient(bffApi, options);

/** The request of a call, which then fails with 404. */
async function requestOf(call: Promise<unknown>): Promise<Request> {
  const { name } = await call.then(
    () => new Error('answered'),
    (error: Error) => error,
  );
  const request = requests.pop();
  if (!request) throw new Error(`No request, but ${name}`);
  return request;
}
const lineOf = async (call: Promise<unknown>) => {
  const { method, url } = await requestOf(call);
  return `${method} ${url.replace(options.base, '')}`;
};

describe('the client', () => {
  it('sends each operation to its address, with its parameters encoded', async () => {
    const id = { id: 7 };
    await expectOutcomes<() => Promise<unknown>>(
      {
        'GET /subscribers': [() => client.listSubscribers({ query: {} })],
        'GET /subscribers?Username=a+b%26c%3D%25_%5C&Expired=true&Page=2': [
          () => client.listSubscribers({ query: { Username: 'a b&c=%_\\', Expired: true, Page: 2 } }),
        ],
        'GET /subscribers?Page=2': [
          () => client.listSubscribers({ query: { Username: undefined, Page: 2 } }),
        ],
        'POST /subscribers': [() => client.createSubscriber({ body: required })],
        'GET /subscribers/7?include=bundles%2Ccountries': [
          () => client.getSubscriber({ params: id, query: { include: ['bundles', 'countries'] } }),
        ],
        'PUT /subscribers/7': [() => client.updateSubscriber({ params: id, body: {} })],
        'DELETE /subscribers/7': [() => client.deleteSubscriber({ params: id })],
        'GET /subscribers/by-token/a%2F..%2Fb%3Fc%23d%252F': [
          () => client.getSubscriberByToken({ params: { accessToken: 'a/../b?c#d%2F' }, query: {} }),
        ],
        'POST /subscribers/7/regenerate-token': [() => client.regenerateToken({ params: id })],
        'GET /subscriber-statuses': [() => client.listStatuses({})],
        'POST /oauth/token': [() => client.issueToken({ body: {} })],
      },
      (call) => lineOf(call()),
    );
  });

  it('sends a body as JSON without defaults of our own, that of a token request as a form', async () => {
    const body = { ...required, note: 'é\n' };
    const json = await requestOf(client.createSubscriber({ body }));
    expect(json.headers.get('Content-Type')).toBe('application/json');
    expect(await json.json()).toEqual(body);
    const fields = {
      grant_type: 'client_credentials',
      client_id: 'a b',
      client_secret: 'p&=+é',
      scope: 'x y',
    };
    const form = await requestOf(client.issueToken({ body: fields }));
    expect(form.headers.get('Content-Type')).toBe('application/x-www-form-urlencoded');
    expect(await form.text()).toBe(
      'grant_type=client_credentials&client_id=a+b&client_secret=p%26%3D%2B%C3%A9&scope=x+y',
    );
  });

  it('sends neither body nor content type where the row has none', async () => {
    const request = await requestOf(client.regenerateToken({ params: { id: 7 } }));
    expect(request.body).toBeNull();
    expect(request.headers.has('Content-Type')).toBe(false);
  });

  it('sends its own headers, and over them those of the call', async () => {
    const headers = { 'If-Match': '"5"', 'X-Request-Id': 'r2' };
    const request = await requestOf(client.deleteSubscriber({ params: { id: 7 } }, { headers }));
    expect(Object.fromEntries(request.headers)).toEqual({
      accept: 'application/json',
      'if-match': '"5"',
      'x-request-id': 'r2',
    });
  });

  it('sends nothing for parameters that no request can have', async () => {
    const none = 'Error: No request, but $ZodError';
    await expectOutcomes({ [none]: ['.', '..', 'a\0', '\uD83D', 't'.repeat(257)] }, (accessToken) =>
      lineOf(client.getSubscriberByToken({ params: { accessToken }, query: {} })),
    );
    await expectOutcomes({ [none]: [0, -1, 1.5, Number.NaN, 2 ** 53] }, (id) =>
      lineOf(client.getSubscriber({ params: { id }, query: {} })),
    );
  });

  it('sends no token in an address of the BFF', async () => {
    const body = { accessToken: 'tok', include: ['bundles' as const] };
    const request = await requestOf(bff.getSubscriberByToken({ body }));
    expect([request.method, request.url]).toEqual(['POST', `${options.base}/bff/find-by-token`]);
    expect(await request.json()).toEqual(body);
  });
});
