import { expect, test } from 'vitest';
import { ask, signIn } from '../../support/bff/browser.ts';
import { openStaffedDesk } from '../../support/bff/desk.ts';

/** Lists expired trials by a service that has these extensions. */
async function listTrials(extensions: readonly 'IsTrial'[]) {
  const desk = await openStaffedDesk({ extensions });
  const headers = { Cookie: await signIn(desk, 'manager') };
  const response = await desk.fetch(ask('GET', '/api/subscribers?Expired=true&IsTrial=true', { headers }));
  return { desk, response, session: await desk.fetch(ask('GET', '/bff/session', { headers })) };
}

test('a filter that the service declares is sent to it', async () => {
  const { desk, response } = await listTrials(['IsTrial']);
  expect(response.status).toBe(200);
  expect(desk.upstream.calls[0]?.url).toContain('IsTrial=true');
});

test('a filter that the service does not have is refused, because the service would ignore it', async () => {
  const { desk, response, session } = await listTrials([]);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: { IsTrial: [expect.stringContaining('IsTrial')] } });
  expect(desk.upstream.calls).toEqual([]);
  expect(await session.json()).toMatchObject({ extensions: [] });
});
