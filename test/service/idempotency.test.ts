import { beforeEach, describe, expect, it } from 'vitest';
import { changeHeaders, keyLifetime } from '../../src/contract/http/change-headers.ts';
import { scopes } from '../../src/contract/service/token.ts';
import { setApiClient } from '../../src/service/oauth/api-clients.ts';
import { startService, tokenRequest, type TestService } from '../support/service/harness.ts';
import { anna, annaWhole } from '../support/service/people.ts';
import { problemOf } from '../support/service/problem-of.ts';

const key = 'a-key-of-this-test-alone';
const headers = { [changeHeaders.key]: key };

let service: TestService;
beforeEach(async () => {
  service = await startService();
});

const create = (body: object = anna) => service.send('POST', '/subscribers', { body, headers });

/** Creates somebody with the key, and a token of now, as time passes in these tests. */
async function createLater(username: string, its = key) {
  const sending = { token: await service.token(...scopes), headers: { [changeHeaders.key]: its } };
  const answer = await service.send('POST', '/subscribers', { body: { ...anna, username }, ...sending });
  return [answer.status, answer.headers.get(changeHeaders.replayed)];
}

const rows = () => service.db.selectFrom('service_once').selectAll().execute();

describe('the key of a change', () => {
  it('is known for a day, and can then be used for another change', async () => {
    await create();
    service.time.now += keyLifetime - 1;
    expect(await createLater(anna.username)).toEqual([200, 'true']);
    service.time.now += 1;
    expect(await createLater('Bert')).toEqual([200, null]);
  });

  it('is deleted by a later change once it has expired', async () => {
    await createLater('One', 'the-key-of-one-alone');
    service.time.now += keyLifetime;
    await createLater('Later', 'a-key-of-later-on');
    expect((await rows()).map(({ created_at: at }) => at)).toEqual([service.time.now]);
  });

  it('is deleted in portions where very many have expired, one with each change', async () => {
    const row = { client_id: 'sync', change_digest: '', answer: '', created_at: 0 };
    const old = Array.from({ length: 700 }, (_, index) => ({ ...row, key_digest: String(index) }));
    await service.db.insertInto('service_once').values(old).execute();
    const remaining = [];
    for (const name of ['One', 'Two', 'Three']) {
      await createLater(name, `the-key-of-${name}-alone`);
      remaining.push((await rows()).filter(({ created_at: at }) => at === 0).length);
    }
    expect(remaining).toEqual([200, 0, 0]);
  });

  it('means nothing with another client', async () => {
    await create();
    const secret = 'of another client';
    await setApiClient(service.db, { id: 'crm', secrets: [secret], scopes });
    const request = tokenRequest({ client_id: 'crm', client_secret: secret, scope: scopes.join(' ') });
    const { access_token: token } = (await (await service.fetch(request)).json()) as { access_token: string };
    const body = { ...anna, username: 'Bert' };
    const answer = await service.send('POST', '/subscribers', { body, token, headers });
    expect([answer.status, answer.headers.get(changeHeaders.replayed)]).toEqual([200, null]);
  });
});

describe('a stored answer', () => {
  it('shows neither the key nor a token nor personal data', async () => {
    const { accessToken } = (await (await create(annaWhole)).json()) as { accessToken: string };
    const stored = await rows();
    const parts = stored.flatMap(({ answer }) => answer.split('.'));
    const decoded = parts.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join('\n');
    expect(decoded.length).toBeGreaterThan(annaWhole.email.length);
    for (const secret of [key, accessToken, annaWhole.email, 'First line'])
      expect(JSON.stringify(stored) + decoded).not.toContain(secret);
  });

  it('is refused where an earlier version has sealed it otherwise, and nothing is done again', async () => {
    await create();
    const answer = 'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA';
    await service.db.updateTable('service_once').set({ answer }).execute();
    const { problem, detail } = await problemOf(await create());
    expect(problem).toBe('422 key-used-before');
    expect(detail).toMatch(/its answer can no longer be read/);
    expect(await service.db.selectFrom('subscribers').select('id').execute()).toHaveLength(1);
  });
});
