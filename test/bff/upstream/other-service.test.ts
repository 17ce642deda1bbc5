import { beforeEach, describe, expect, it, test } from 'vitest';
import { listNames, SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { createOtherService, otherUpstream } from '../../support/bff/other-service.ts';
import { asAnswered } from '../../support/people.ts';

/** A manager whose BFF uses the other service. */
async function openOther(change: object = {}) {
  const { deps, logs, as } = await createTestDesk({ staff: {} });
  const other = createOtherService({ count: 60, now: deps.clock });
  const upstream = otherUpstream(other.fetch, change);
  const { fetch, api, bff } = as('manager', 'Ann', { upstream });
  return { ...other, ask: fetch, logs, client: api, bff };
}

const input = {
  username: 'Journey.Åsa',
  email: 'asa@example.net',
  expiresAt: '2027-01-01T00:00:00.000Z',
  maxConnections: 3,
  isTrial: true,
  note: 'Called.',
  hls: true,
  mpegTs: true,
  bundles: [12, 40],
  ipAddresses: ['192.0.2.0/24'],
  userAgents: ['VLC'],
  countries: ['NO'],
};
const include = [...listNames];

let there: Awaited<ReturnType<typeof openOther>>;
beforeEach(async () => {
  there = await openOther();
});

test('a service with a dialect works with list, filter, create, edit, regenerate, find by token and delete', async () => {
  const { client, bff, customers } = there;
  const all = (await client.listSubscribers({ query: {} })).data;
  expect(all).toMatchObject({ page: 1, pageSize: 25, totalCount: 60, totalPages: 3 });
  expect(all.items).toHaveLength(25);
  const [first] = all.items;
  const found = await client.listSubscribers({ query: { Username: first?.username ?? '', PageSize: 5 } });
  expect(found.data.items[0]).toEqual(first);
  const second = await client.listSubscribers({ query: { Page: 2, PageSize: 40, SortBy: 'username_desc' } });
  expect([second.data.items.length, second.data.totalPages]).toEqual([20, 2]);

  const taken = client.createSubscriber({ body: { ...input, username: first?.username ?? '' } });
  await expect(taken).rejects.toMatchObject({
    code: 'invalid-input',
    status: 422,
    fields: { username: ['Username already taken.'] },
  });
  const { data: made } = await client.createSubscriber({ body: input });
  expect(made).toEqual({ id: 61, accessToken: made.accessToken, ...input, status: 10 });

  const edited = await client.updateSubscriber({ params: { id: 61 }, body: { ...input, note: '' } });
  expect(edited.data).toEqual({ ...made, note: '' });
  const before = customers.get(61)?.accessToken ?? '';
  expect((await bff.revealToken({ params: { id: 61 } })).data.accessToken).toBe(before);
  const fresh = (await client.regenerateToken({ params: { id: 61 } })).data;
  expect([fresh.accessToken === customers.get(61)?.accessToken, fresh.accessToken === before]).toEqual([
    true,
    false,
  ]);
  const old = bff.getSubscriberByToken({ body: { accessToken: before } });
  await expect(old).rejects.toMatchObject({ code: 'no-such-subscriber', status: 404 });
  const owner = await bff.getSubscriberByToken({ body: { accessToken: fresh.accessToken, include } });
  expect(owner.data).toEqual(asAnswered({ ...made, note: '', accessToken: fresh.accessToken }));

  expect((await client.deleteSubscriber({ params: { id: 61 } })).data).toEqual(owner.data);
  expect(customers.has(61)).toBe(false);
});

describe('a service with a dialect', () => {
  it('has its statuses answered in the contract’s shape', async () => {
    expect((await there.client.listStatuses({})).data).toEqual([
      { id: 10, name: 'Active' },
      { id: 20, name: 'On hold' },
      { id: 30, name: 'Closed' },
    ]);
  });

  it.each([
    ['getSubscriber', { params: { id: 999 }, query: {} }],
    ['updateSubscriber', { params: { id: 999 }, body: input }],
    ['updateSubscriber', { params: { id: 999 }, body: { note: 'x' } }],
    ['deleteSubscriber', { params: { id: 999 } }],
    ['regenerateToken', { params: { id: 999 } }],
  ] as const)('has its 422 to %s of a missing subscriber answered as a 404', async (operation, call) => {
    const done = there.client[operation](call as never);
    await expect(done).rejects.toMatchObject({ code: 'no-such-subscriber', status: 404 });
  });

  it('keeps the fields that an update leaves out, although it would reset them', async () => {
    const before = SubscriberDetail.parse(there.customers.get(5));
    const { data } = await there.client.updateSubscriber({ params: { id: 5 }, body: { note: 'New.' } });
    expect(data).toEqual(asAnswered({ ...before, note: 'New.' }));
    expect(there.requests.at(-1)).toMatchObject({ method: 'PATCH', body: { email: before.email } });
  });

  it('gets no read for an update of all fields, except the journal’s', async () => {
    await there.client.updateSubscriber({ params: { id: 5 }, body: input });
    const path = '/v2/customers/id/5';
    expect(there.requests).toMatchObject([
      { method: 'GET', path },
      { method: 'PATCH', path, body: input },
    ]);
  });

  it('has its errors answered under our field names and list elements, and the rest under body', async () => {
    const body = { ...input, email: 'a@example.com', bundles: [1, 999], note: 'forbidden' };
    await expect(there.client.createSubscriber({ body })).rejects.toMatchObject({
      message: 'Not accepted: bundles.1, body. Nothing was changed. Correct them and try again.',
      fields: {
        'bundles.1': ['There is no such bundle.'],
        body: ['Our policy does not allow this note.'],
      },
    });
  });

  it('has fields that are not in the contract removed from its answers', async () => {
    const paths = ['/api/subscribers', '/api/subscribers/5', '/api/subscriber-statuses'];
    const texts = await Promise.all(paths.map(async (path) => (await there.ask(ask('GET', path))).text()));
    expect(texts.join()).not.toMatch(/canary|internalScore|Colour|TookMs/);
  });

  it('always gets the page and its size, because it has other defaults', async () => {
    await there.client.listSubscribers({ query: {} });
    expect(there.requests[0]?.query).toEqual({ Page: '1', PageSize: '25' });
  });

  it('has no trial filter: the session does not offer it, and the BFF never sends it', async () => {
    expect((await there.bff.getSession({})).data.extensions).toEqual([]);
    const query = { IsTrial: true };
    await expect(there.client.listSubscribers({ query })).rejects.toMatchObject({ code: 'busy' });
    await expect.poll(async () => (await there.bff.getScan({ query })).data.state).toBe('complete');
    expect(there.requests.length).toBeGreaterThan(0);
    expect(there.requests.filter((request) => 'IsTrial' in request.query)).toEqual([]);
  });
});

describe('an answer that does not match the dialect', () => {
  it.each([
    ['/api/subscribers/5', { maxConnections: 'canary' }, /at maxConnections\./],
    ['/api/subscribers/5', { username: undefined, hls: null }, /at username, hls\./],
    ['/api/subscribers', { expiresAt: 7 }, /at items\.4\.expiresAt\./],
  ])('becomes a 502 that names the field and not its value: %s', async (path, wrong, sentence) => {
    const one = there.customers.get(5);
    there.customers.set(5, Object.assign({ ...one } as never, wrong));
    const response = await there.ask(ask('GET', path));
    const text = await response.clone().text();
    expect(await outcomeOf(response)).toBe('502 bad-upstream');
    expect(text).toMatch(sentence);
    expect(text + JSON.stringify(there.logs)).not.toContain('canary');
  });

  it.each([
    ['/api/subscribers/5', { record: '/Datum' }, '/Datum (the record)'],
    ['/api/subscribers', { list: { items: '/Rows', total: '/Meta/Total' } }, 'items'],
    ['/api/subscribers', { list: { items: '/Data', total: '/Total' } }, '/Total (the total)'],
    ['/api/subscriber-statuses', { statuses: { items: '/States', id: '/Code', name: '/Label' } }, '/States'],
    ['/api/subscriber-statuses', { statuses: { items: '/Data', id: '/Id', name: '/Label' } }, '0.id'],
  ])('becomes a 502 that names UPSTREAM_DIALECT, which may be wrong: %s', async (path, change, pointer) => {
    const wrong = await openOther(change);
    const response = await wrong.ask(ask('GET', path));
    const { detail }: { detail: string } = await response.json();
    expect(response.status).toBe(502);
    expect(detail).toContain(pointer);
    expect(detail).toContain('UPSTREAM_DIALECT');
  });
});
