import { describe, expect, test } from 'vitest';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { credentials, startService, tokenRequest } from '../../support/service/harness.ts';

async function outcomeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: string };
  return `${response.status} ${error ?? 'token'}`;
}

describe('an API client', () => {
  test('may have an id and a secret that HTTP Basic has to encode', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: 'a:b c', secrets: ['ü:% +'], scopes: ['subscribers:read'] });
    const pair = ['a:b c', 'ü:% +'].map((part) => encodeURIComponent(part).replaceAll('%20', '+'));
    const request = tokenRequest({ client_id: null, client_secret: null });
    request.headers.set('Authorization', `Basic ${btoa(pair.join(':'))}`);
    expect(await outcomeOf(await fetch(request))).toBe('200 token');
  });

  test.each(['subscribers:write', 'subscribers:read subscribers:write'])(
    'that may only read gets no token for %s',
    async (scope) => {
      const { fetch, db } = await startService();
      const { id, secret } = credentials;
      await setApiClient(db, { id, secrets: [secret], scopes: ['subscribers:read'] });
      expect(await outcomeOf(await fetch(tokenRequest({ scope })))).toBe('400 invalid_scope');
    },
  );

  test('of an id with control characters is never looked for', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: 'desk\x01', secrets: [credentials.secret], scopes: ['subscribers:read'] });
    expect(await outcomeOf(await fetch(tokenRequest({ client_id: 'desk\x01' })))).toBe('401 invalid_client');
  });

  test('that is set again has the new secret and the new scopes only', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: credentials.id, secrets: ['another'], scopes: ['subscribers:write'] });
    expect(await outcomeOf(await fetch(tokenRequest({})))).toBe('401 invalid_client');
    expect(await outcomeOf(await fetch(tokenRequest({ client_secret: 'another' })))).toBe(
      '400 invalid_scope',
    );
    const right = await fetch(tokenRequest({ client_secret: 'another', scope: 'subscribers:write' }));
    expect(right.status).toBe(200);
  });

  test('is kept without its secret', async () => {
    const { db } = await startService();
    const rows = await db.selectFrom('api_clients').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(credentials.secret);
    expect(rows).toHaveLength(1);
  });
});
