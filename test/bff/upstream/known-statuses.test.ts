import { beforeEach, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask } from '../../support/bff/browser.ts';

const statuses = [{ id: 1, name: 'Active' }];

let bff: TestDesk;
let headers: { Cookie: string };

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  bff.upstream.operation = () => Response.json(statuses.map((status) => ({ ...status, extra: 'canary' })));
  headers = { Cookie: (await bff.signIn('manager')).cookie() };
});

const listStatuses = () => bff.fetch(ask('GET', '/api/subscriber-statuses', { headers }));
async function known(cookie = headers.Cookie): Promise<unknown> {
  const response = await bff.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookie } }));
  return (await response.json()).statuses;
}

test('the session includes the statuses after someone has listed them', async () => {
  expect(await known()).toBeUndefined();
  await listStatuses();
  expect(await known()).toEqual(statuses);
  expect(await known((await bff.signIn('viewer')).cookie())).toEqual(statuses);
});

test('the session does not include statuses that were listed over 15 minutes ago', async () => {
  await listStatuses();
  bff.time.now += 15 * 60_000;
  expect(await known()).toBeUndefined();
});

test.each([
  ['a failure', () => new Response(null, { status: 500 })],
  ['something else', () => Response.json({ statuses })],
  ['nothing readable', () => new Response('[{', { headers: { 'Content-Type': 'application/json' } })],
])('the statuses in the session do not change after %s', async (_, answer) => {
  await listStatuses();
  bff.upstream.operation = answer;
  await listStatuses();
  expect(await known()).toEqual(statuses);
});
