import { expect, test } from 'vitest';
import { createTestDesk } from '../../support/desk.ts';
import { ask } from '../../support/bff/browser.ts';

/** Lists expired trials of a service with these extensions. */
async function listTrials(extensions: readonly 'IsTrial'[]) {
  const bff = await createTestDesk({ service: 'canned', upstream: { extensions } });
  const headers = { Cookie: (await bff.signIn('manager')).cookie() };
  const response = await bff.fetch(ask('GET', '/api/subscribers?Expired=true&IsTrial=true', { headers }));
  return { bff, response, session: await bff.fetch(ask('GET', '/bff/session', { headers })) };
}

test('a filter that the service declares is sent to it', async () => {
  const { bff, response } = await listTrials(['IsTrial']);
  expect(response.status).toBe(200);
  expect(bff.upstream.calls[0]?.url).toContain('IsTrial=true');
});
