import { beforeEach, describe, expect, it, test } from 'vitest';
import { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { importText } from '../../support/bff/import-file.ts';
import { rowsOf, untilJob } from '../../support/bff/jobs.ts';
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

let there: Awaited<ReturnType<typeof openOther>>;
beforeEach(async () => {
  there = await openOther();
});

describe('a service with a dialect', () => {
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

  it('has no deletion called done that it answered well and did not make', async () => {
    there.customers.delete = () => false;
    const deletion = there.client.deleteSubscriber({ params: { id: 5 } });
    await expect(deletion).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect((await there.bff.listActivity({ query: {} })).data.items).toMatchObject([{ outcome: 'unknown' }]);
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

describe('a service that gives the number of a deleted subscriber to the next one', () => {
  const last = { username: 'last', email: 'last@example.net', expiresAt: input.expiresAt };
  let id: number;
  /** Creates somebody, does something, deletes them, and creates somebody else under their number. */
  async function exchange(work: (id: number) => Promise<unknown>) {
    ({ id } = (await there.client.createSubscriber({ body: last })).data);
    await work(id);
    await there.client.deleteSubscriber({ params: { id } });
    const { data } = await there.client.createSubscriber({ body: { ...input, note: 'Called.' } });
    expect(data.id).toBe(id);
  }

  it('has nobody changed by the undo of what was done to the one before', async () => {
    await exchange((of) => there.client.updateSubscriber({ params: { id: of }, body: { note: 'Called.' } }));
    const { data } = await there.bff.listActivity({ query: { operation: 'updateSubscriber' } });
    const undo = there.bff.undoChange({ params: { id: data.items[0]?.id ?? '' } });
    await expect(undo).rejects.toMatchObject({ code: 'no-such-subscriber' });
    expect(there.customers.get(id)).toMatchObject({ username: input.username, note: 'Called.' });
  });

  it('has the former token of the one before known as theirs', async () => {
    let accessToken = '';
    await exchange(async (of) => {
      accessToken = there.customers.get(of)?.accessToken ?? '';
      await there.client.regenerateToken({ params: { id: of } });
    });
    expect((await there.bff.getPreviousToken({ body: { accessToken } })).data).toMatchObject({
      operation: 'deleteSubscriber',
      subscriber: { id, username: 'last' },
    });
  });
});

test('an import by username is for the one who is spelled like it, where two names differ in case alone', async () => {
  const rows = ['anna', 'Anna'].map((username, index) => ({ ...input, id: index + 1, username }));
  const own = { accessToken: 'x', status: 10, internalScore: 7, passportNumber: '' };
  there.customers.clear();
  for (const row of rows) there.customers.set(row.id, { ...row, ...own });
  const plan = { mode: 'upsert' as const, columns: ['username' as const, 'note' as const] };
  const { id } = await importText(there, 'username,note\nAnna,Of the second.\n', plan);
  await untilJob(there, id, 'ready');
  expect(await rowsOf(there, id)).toMatchObject([{ subscriberId: 2, username: 'Anna', result: 'change' }]);
});

test.each([
  ['anna', 'anna', 'anna'],
  ['anna', 'Anna', 'ANNA'],
])(
  'an import by username changes nobody where %s and %s may both be meant by %s',
  async (one, other, named) => {
    const own = { accessToken: 'x', status: 10, internalScore: 7, passportNumber: '' };
    there.customers.clear();
    for (const [index, username] of [one, other].entries())
      there.customers.set(index + 1, { ...input, ...own, id: index + 1, username });
    const plan = { mode: 'upsert' as const, columns: ['username' as const, 'note' as const] };
    const { id } = await importText(there, `username,note\n${named},Of whom?\n`, plan);
    await untilJob(there, id, 'ready');
    const [row] = await rowsOf(there, id);
    expect(row).toMatchObject({ result: 'skipped', why: 'invalid-input' });
    expect(row?.detail).toBe(`Username: Subscribers #1 and #2 both have “${named}”. Update them by ID.`);
  },
);

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
