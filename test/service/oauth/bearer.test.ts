import { generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { issuer, startService, type TestService } from '../../support/service/harness.ts';
import { problemOf } from '../../support/service/problem-of.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService();
});

/** Asks for the list with a token: `accepted`, or the challenge. */
async function answerTo(token: string): Promise<string> {
  const response = await service.send('GET', '/subscribers', { token });
  if (response.ok) return 'accepted';
  expect(await problemOf(response)).toMatchObject({ problem: '401 invalid-token' });
  return response.headers.get('WWW-Authenticate') ?? 'no challenge';
}
const refused = 'Bearer realm="subscribers", error="invalid_token"';

interface Forged {
  claims?: Record<string, unknown>;
  typ?: string;
  kid?: unknown;
  key?: CryptoKey;
}

/** A token by the service's own key, but with what is given. */
async function forge(given: Forged): Promise<string> {
  const row = await service.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
  const key = given.key ?? (await importJWK(JSON.parse(row.private_jwk) as JWK, 'ES256'));
  const exp = service.time.now / 1000 + 60;
  const claims = { iss: issuer, aud: issuer, sub: 'desk', scope: 'subscribers:read', exp, ...given.claims };
  // The wrong types are the point: jose's own would keep them out.
  const header = { alg: 'ES256', typ: given.typ ?? 'at+jwt', kid: given.kid ?? row.kid } as { alg: string };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

describe('an access token', () => {
  it('is refused unless the service has made it, of this type, for itself, with all claims', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    await expectOutcomes<Forged>(
      {
        // Shows that the others fail for their own fault.
        accepted: [{}],
        [refused]: [
          { claims: { iss: 'https://other.example' } },
          { claims: { aud: 'https://other.example' } },
          { claims: { exp: 1 } },
          { claims: { exp: undefined } },
          { claims: { scope: undefined } },
          { claims: { sub: undefined } },
          { typ: 'JWT' },
          { kid: 'A'.repeat(43) },
          { kid: { toString: 1 } },
          { key: privateKey },
        ],
      },
      async (given) => answerTo(await forge(given)),
    );
  });

  it('is refused without a signature, and where it is no token at all', async () => {
    const [, claims] = (await service.token('subscribers:read')).split('.');
    const header = btoa('{"alg":"none","typ":"at+jwt"}').replaceAll('=', '');
    const tokens = [`${header}.${claims}.`, 'é'];
    await expectOutcomes({ [refused]: tokens }, (token) => answerTo(token));
  });

  it('is accepted for an hour and no millisecond more, also once it was accepted before', async () => {
    const token = () => service.token('subscribers:read');
    const [one, other, unused] = [await token(), await token(), await token()];
    expect(await answerTo(one)).toBe('accepted');
    service.time.now += 3_599_999;
    for (const each of [one, other]) expect(await answerTo(each)).toBe('accepted');
    service.time.now += 1;
    const expected = { accepted: [await token()], [refused]: [one, other, unused] };
    await expectOutcomes(expected, (each) => answerTo(each));
  });

  it('is refused when its key is gone, although it was accepted before', async () => {
    const token = await service.token('subscribers:read');
    expect(await answerTo(token)).toBe('accepted');
    await service.db.deleteFrom('signing_keys').execute();
    service.time.now += 6000;
    expect(await answerTo(token)).toBe(refused);
  });
});
