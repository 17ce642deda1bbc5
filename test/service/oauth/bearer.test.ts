import { generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { issuer, startService, type TestService } from '../../support/service/harness.ts';
import { problemOf } from '../../support/service/problem-of.ts';

const invalid = 'Bearer realm="subscribers", error="invalid_token"';

async function challengeOf(response: Response): Promise<string | null> {
  expect(await problemOf(response)).toMatchObject({ problem: '401 invalid-token' });
  return response.headers.get('WWW-Authenticate');
}

/** A token by the service's own key, but with what is given. */
async function forge(
  service: TestService,
  given: { claims?: JWTPayload; typ?: string; kid?: unknown; key?: CryptoKey },
): Promise<string> {
  const row = await service.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
  const key = given.key ?? (await importJWK(JSON.parse(row.private_jwk) as JWK, 'ES256'));
  const now = service.time.now / 1000;
  const claims = {
    iss: issuer,
    aud: issuer,
    sub: 'desk',
    scope: 'subscribers:read',
    exp: now + 60,
    ...given.claims,
  };
  // The wrong types are the point: jose's own would keep them out.
  const header = { alg: 'ES256', typ: given.typ ?? 'at+jwt', kid: given.kid ?? row.kid } as { alg: string };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

describe('a token', () => {
  test('is good for an hour and no millisecond more', async () => {
    const { send, time, token } = await startService();
    const mine = await token('subscribers:read');
    time.now += 3_599_999;
    expect((await send('GET', '/subscribers', { token: mine })).status).toBe(200);
    time.now += 1;
    expect(await challengeOf(await send('GET', '/subscribers', { token: mine }))).toBe(invalid);
  });

  test('that the service could have made is taken, which shows that the next ones fail for their own fault', async () => {
    const service = await startService();
    const response = await service.send('GET', '/subscribers', { token: await forge(service, {}) });
    expect(response.status).toBe(200);
  });

  test.each<[string, Parameters<typeof forge>[1]]>([
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['another audience', { claims: { aud: 'https://other.example' } }],
    ['an end in the past', { claims: { exp: 1 } }],
    ['another type', { typ: 'JWT' }],
    ['an unknown key', { kid: 'A'.repeat(43) }],
    ['a key name that is none', { kid: { toString: 1 } }],
  ])('with %s is refused', async (_, given) => {
    const service = await startService();
    const response = await service.send('GET', '/subscribers', { token: await forge(service, given) });
    expect(await challengeOf(response)).toBe(invalid);
  });

  test.each(['exp', 'scope', 'sub'])('without %s is refused', async (claim) => {
    const service = await startService();
    const forged = await forge(service, { claims: { [claim]: undefined } });
    expect(await challengeOf(await service.send('GET', '/subscribers', { token: forged }))).toBe(invalid);
  });

  test('signed by a key of somebody else is refused', async () => {
    const service = await startService();
    const { privateKey } = await generateKeyPair('ES256');
    const forged = await forge(service, { key: privateKey });
    expect(await challengeOf(await service.send('GET', '/subscribers', { token: forged }))).toBe(invalid);
  });

  test('without a signature is refused', async () => {
    const { send, token } = await startService();
    const [, claims] = (await token('subscribers:read')).split('.');
    const header = btoa('{"alg":"none","typ":"at+jwt"}').replaceAll('=', '');
    const response = await send('GET', '/subscribers', { token: `${header}.${claims}.` });
    expect(await challengeOf(response)).toBe(invalid);
  });

  test('that no token is written in is refused', async () => {
    const { send } = await startService();
    expect(await challengeOf(await send('GET', '/subscribers', { token: 'é' }))).toBe(invalid);
  });
});

describe('a token that was taken before', () => {
  test('is refused from the millisecond at which it ends', async () => {
    const { send, time, token } = await startService();
    const mine = await token('subscribers:read');
    for (const status of [200, 200, 401]) {
      expect((await send('GET', '/subscribers', { token: mine })).status).toBe(status);
      time.now += 1_800_000;
    }
  });

  test('is refused when its key is gone', async () => {
    const { send, time, token, db } = await startService();
    const mine = await token('subscribers:read');
    expect((await send('GET', '/subscribers', { token: mine })).status).toBe(200);
    await db.deleteFrom('signing_keys').execute();
    time.now += 6000;
    expect(await challengeOf(await send('GET', '/subscribers', { token: mine }))).toBe(invalid);
  });

  test('opens no more than at first', async () => {
    const { send, token } = await startService();
    const mine = await token('subscribers:read');
    expect((await send('GET', '/subscribers/1', { token: mine })).status).toBe(404);
    expect((await send('DELETE', '/subscribers/1', { token: mine })).status).toBe(403);
  });
});
