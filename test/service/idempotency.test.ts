import { expect, test } from 'vitest';
import { changeHeaders, keyLifetime } from '../../src/contract/http/change-headers.ts';
import { scopes } from '../../src/contract/service/token.ts';
import { setApiClient } from '../../src/service/oauth/api-clients.ts';
import { startService, tokenRequest, type TestService } from '../support/service/harness.ts';
import { anna, annaWhole } from '../support/service/people.ts';

const key = 'a-key-of-this-test-alone';
const headers = { [changeHeaders.key]: key };
const replayed = (answer: Response) => answer.headers.get(changeHeaders.replayed);

const create = ({ send }: TestService, body: object = anna) =>
  send('POST', '/subscribers', { body, headers });
const rows = ({ db }: TestService) => db.selectFrom('service_once').selectAll().execute();

test('a key is remembered for a day, and can then be used for another change', async () => {
  const service = await startService();
  const token = async () => ({ token: await service.token(...scopes), headers });
  await create(service);
  service.time.now += keyLifetime - 1;
  const again = await service.send('POST', '/subscribers', { body: anna, ...(await token()) });
  expect(replayed(again)).toBe('true');
  service.time.now += 1;
  const other = { ...anna, username: 'Bert' };
  const later = await service.send('POST', '/subscribers', { body: other, ...(await token()) });
  expect([later.status, replayed(later)]).toEqual([200, null]);
});

test('expired keys are deleted by later changes', async () => {
  const service = await startService();
  await create(service);
  service.time.now += keyLifetime;
  const token = await service.token(...scopes);
  const body = { ...anna, username: 'Bert' };
  const others = { [changeHeaders.key]: 'another-key-of-this-test' };
  await service.send('POST', '/subscribers', { body, token, headers: others });
  expect((await rows(service)).map(({ created_at: at }) => at)).toEqual([service.time.now]);
});

test('expired keys are deleted also after the clock was years ahead', async () => {
  const service = await startService();
  const years = 10 * 365 * keyLifetime;
  const token = await service.token(...scopes);
  const add = (number: number) =>
    service.send('POST', '/subscribers', {
      body: { ...anna, username: `Person ${number}` },
      token,
      headers: { [changeHeaders.key]: `the-key-of-person-${number}` },
    });
  await add(1);
  service.time.now += years;
  // With a token of then, for it looks expired.
  const ahead = await service.token(...scopes);
  await service.send('POST', '/subscribers', {
    body: { ...anna, username: 'Ahead' },
    token: ahead,
    headers: { [changeHeaders.key]: 'a-key-of-the-future' },
  });
  service.time.now -= years;
  expect((await add(2)).status).toBe(200);
  service.time.now += 2 * keyLifetime;
  const later = await service.token(...scopes);
  await service.send('POST', '/subscribers', {
    body: { ...anna, username: 'Later' },
    token: later,
    headers: { [changeHeaders.key]: 'a-key-of-later-on' },
  });
  const left = (await rows(service)).map(({ created_at: at }) => at);
  expect(left).not.toContain(service.time.now - 2 * keyLifetime);
});

test('a key of one client means nothing to another', async () => {
  const service = await startService();
  await create(service);
  await setApiClient(service.db, { id: 'crm', secrets: ['of another client'], scopes });
  const asked = tokenRequest({
    client_id: 'crm',
    client_secret: 'of another client',
    scope: scopes.join(' '),
  });
  const { access_token: token } = (await (await service.fetch(asked)).json()) as { access_token: string };
  const body = { ...anna, username: 'Bert' };
  const answer = await service.send('POST', '/subscribers', { body, token, headers });
  expect([answer.status, replayed(answer)]).toEqual([200, null]);
});

test('a stored answer shows neither the key nor a token nor personal data', async () => {
  const service = await startService();
  const { accessToken } = (await (await create(service, annaWhole)).json()) as { accessToken: string };
  const kept = JSON.stringify(await rows(service));
  for (const secret of [key, accessToken, annaWhole.email, 'First line']) expect(kept).not.toContain(secret);
  const parts = (await rows(service)).flatMap(({ answer }) => answer.split('.'));
  const decoded = parts.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join('\n');
  expect(decoded.length).toBeGreaterThan(annaWhole.email.length);
  for (const secret of [key, accessToken, annaWhole.email]) expect(decoded).not.toContain(secret);
});

test('a regenerated token is answered again as it was, but not to a client that may only read', async () => {
  const service = await startService();
  const { id } = (await service.client.createSubscriber({ body: anna })).data;
  const path = `/subscribers/${id}/regenerate-token`;
  const first = await service.send('POST', path, { headers });
  const token = await service.token('subscribers:read');
  expect((await service.send('POST', path, { token, headers })).status).toBe(403);
  const again = await service.send('POST', path, { headers });
  expect(await again.json()).toEqual(await first.json());
});

test('an answer that an earlier version has sealed otherwise is refused, and nothing is done again', async () => {
  const service = await startService();
  await create(service);
  await service.db
    .updateTable('service_once')
    .set({ answer: 'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA' })
    .execute();
  const again = await create(service);
  const problem = (await again.json()) as { type: string; detail: string };
  expect([again.status, problem.type]).toEqual([422, expect.stringContaining('key-used-before')]);
  expect(problem.detail).toMatch(/its answer can no longer be read/);
  expect(await service.db.selectFrom('subscribers').select('id').execute()).toHaveLength(1);
});

test('a key and its change are stored together or not at all', async () => {
  const service = await startService();
  await create(service, { ...anna, email: 'nobody' });
  await service.client.createSubscriber({ body: anna });
  expect((await create(service)).status).toBe(422);
  expect(await rows(service)).toEqual([]);
});
