import { describe, expect, it } from 'vitest';
import {
  authenticateClient,
  setApiClient,
  addApiClient,
  addClientSecret,
  removeOlderSecret,
} from '../../../src/service/oauth/api-clients.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { credentials, openStore, startService, tokenRequest } from '../../support/service/harness.ts';

async function outcomeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: string };
  return `${response.status} ${error ?? 'token'}`;
}

describe('an API client', () => {
  it('may have an id and a secret that HTTP Basic has to encode', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: 'a:b c', secrets: ['ü:% +'], scopes: ['subscribers:read'] });
    const pair = ['a:b c', 'ü:% +'].map((part) => encodeURIComponent(part).replaceAll('%20', '+'));
    const request = tokenRequest({ client_id: null, client_secret: null });
    request.headers.set('Authorization', `Basic ${btoa(pair.join(':'))}`);
    expect(await outcomeOf(await fetch(request))).toBe('200 token');
  });

  it('has the new secrets and scopes only when it is set again, and none by an id with control characters', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: credentials.id, secrets: ['another'], scopes: ['subscribers:write'] });
    await setApiClient(db, { id: 'desk\x01', secrets: ['another'], scopes: ['subscribers:read'] });
    const another = { client_secret: 'another' };
    await expectOutcomes<Record<string, string>>(
      {
        '200 token': [{ ...another, scope: 'subscribers:write' }],
        '400 invalid_scope': [
          { ...another, scope: 'subscribers:read' },
          { ...another, scope: 'subscribers:read subscribers:write' },
        ],
        '401 invalid_client': [{}, { ...another, client_id: 'desk\x01' }],
      },
      async (fields) => outcomeOf(await fetch(tokenRequest(fields))),
    );
  });

  it('is stored without its secret', async () => {
    const { db } = await startService();
    const clients = await db.selectFrom('api_clients').selectAll().execute();
    const secrets = await db.selectFrom('client_secrets').selectAll().execute();
    expect([clients.length, secrets.length]).toEqual([1, 1]);
    expect(JSON.stringify([clients, secrets])).not.toContain(credentials.secret);
  });

  it('has two secrets at most, and the older one ends first', async () => {
    const deps = { db: await openStore(), random: createSeededRandom(1).bytes };
    const secrets = [await addApiClient(deps, { id: 'crm', scopes: ['subscribers:read'] })];
    for (let round = 0; round < 3; round++) {
      const added = await addClientSecret(deps, 'crm');
      if (typeof added === 'string') throw new Error(added);
      secrets.push(added.secret);
      expect(await addClientSecret(deps, 'crm')).toBe('full');
      expect(await removeOlderSecret(deps.db, 'crm')).toBe('removed');
      const good = await Promise.all(secrets.map((each) => authenticateClient(deps.db, 'crm', each ?? '')));
      expect(good.map((scopes) => scopes !== null)).toEqual([...secrets.slice(1).map(() => false), true]);
    }
    expect(await removeOlderSecret(deps.db, 'crm')).toBe('only-one');
  });
});
