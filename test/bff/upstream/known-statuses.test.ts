import { beforeEach, expect, test } from 'vitest';
import { ask, signIn } from '../../support/bff/browser.ts';
import { openStaffedDesk, type Desk } from '../../support/bff/desk.ts';

const statuses = [{ id: 1, name: 'Active' }];

let desk: Desk;
let headers: { Cookie: string };

beforeEach(async () => {
  desk = await openStaffedDesk();
  desk.upstream.operation = () => Response.json(statuses.map((status) => ({ ...status, extra: 'canary' })));
  headers = { Cookie: await signIn(desk, 'manager') };
});

const listStatuses = () => desk.fetch(ask('GET', '/api/subscriber-statuses', { headers }));
async function known(cookie = headers.Cookie): Promise<unknown> {
  const response = await desk.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookie } }));
  return (await response.json()).statuses;
}

test('the statuses come with the session once somebody was told them, to others too', async () => {
  expect(await known()).toBeUndefined();
  await listStatuses();
  expect(await known()).toEqual(statuses);
  expect(await known(await signIn(desk, 'viewer'))).toEqual(statuses);
});

test('the session asks the service for nothing', async () => {
  await listStatuses();
  const calls = desk.upstream.calls.length;
  await known();
  expect(desk.upstream.calls).toHaveLength(calls);
});

test('after a quarter of an hour they are no longer sure', async () => {
  await listStatuses();
  desk.time.now += 15 * 60_000;
  expect(await known()).toBeUndefined();
});

test.each([
  ['a failure', () => new Response(null, { status: 500 })],
  ['something else', () => Response.json({ statuses })],
  ['nothing readable', () => new Response('[{', { headers: { 'Content-Type': 'application/json' } })],
])('from %s nothing is learnt', async (_, answer) => {
  await listStatuses();
  desk.upstream.operation = answer;
  await listStatuses();
  expect(await known()).toEqual(statuses);
});
