import type { Scope } from '../../contract/service/token.ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import { toBase64url } from '../../lib/crypto.ts';
import { Problem } from '../../contract/http/problem.ts';
import { algorithm, tokenLifetime, type SigningKeys } from './signing-keys.ts';

const tokenType = 'at+jwt';

export type Bearer = ReturnType<typeof createBearer>;

/** Issues and checks bearer tokens. */
export function createBearer(deps: {
  keys: SigningKeys;
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  issuer: string;
}) {
  const verified = rememberTokens(deps);
  return {
    /** Makes a signed token (RFC 9068) that allows the client what the scopes say. */
    async issue(clientId: string, scopes: readonly Scope[]): Promise<string> {
      const key = await deps.keys.current();
      const now = Math.floor(deps.clock() / 1000);
      return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
        .setIssuer(deps.issuer)
        .setAudience(deps.issuer)
        .setSubject(clientId)
        .setIssuedAt(now)
        .setExpirationTime(now + tokenLifetime)
        .setJti(toBase64url(deps.random(16)))
        .sign(key.privateKey);
    },
    /**
     * @param authorization the header of a request
     * @returns the id of the client that sent it
     * @throws {Problem} `invalid-token` or `insufficient-scope`, with the challenge of RFC 6750 section 3
     */
    async authorize(authorization: string | null, scope: Scope): Promise<string> {
      const { client, scopes } = await verified(bearerToken(authorization));
      if (!scopes.includes(scope)) throw insufficient(scope);
      return client;
    },
  };
}

function bearerToken(authorization: string | null): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization ?? '');
  if (match?.[1]) return match[1];
  // RFC 6750 section 3.1: without a token in the request, the challenge names no error.
  throw challenge(
    'invalid-token',
    'The request has no access token. Get one from /oauth/token and send it as "Authorization: Bearer …".',
    [],
  );
}

interface Verified {
  client: string;
  kid: string;
  /** In seconds since 1970, as in a JWT. */
  expires: number;
  scopes: readonly string[];
}

/** Most tokens that are remembered: more than clients get in an hour. */
const mostRemembered = 1000;

/**
 * Checks the signature of each token only once, because that takes longer than most requests. Checks each time whether
 * the token has expired and whether its key is still valid.
 */
function rememberTokens(deps: { keys: SigningKeys; clock: () => number; issuer: string }) {
  const remembered = new Map<string, Verified>();
  return async (token: string): Promise<Verified> => {
    const known = remembered.get(token);
    if (known && known.expires > Math.floor(deps.clock() / 1000) && (await deps.keys.find(known.kid)))
      return known;
    remembered.delete(token);
    const verified = await verify(deps, token);
    if (remembered.size === mostRemembered) remembered.clear();
    remembered.set(token, verified);
    return verified;
  };
}

async function verify(
  deps: { keys: SigningKeys; clock: () => number; issuer: string },
  token: string,
): Promise<Verified> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => keyNamed(deps.keys, header.kid), {
      algorithms: [algorithm],
      typ: tokenType,
      issuer: deps.issuer,
      audience: deps.issuer,
      requiredClaims: ['exp', 'sub', 'scope'],
      currentDate: new Date(deps.clock()),
    });
    const scopes = String(payload['scope']).split(' ');
    return {
      client: payload.sub ?? '',
      kid: protectedHeader.kid ?? '',
      expires: payload.exp ?? 0,
      scopes,
    };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw challenge(
      'invalid-token',
      'The access token is invalid or has expired. Get a new one from /oauth/token.',
      ['error="invalid_token"'],
    );
  }
}

/** Looks only for a `kid` that can be a thumbprint (RFC 7638), because the sender can write anything. */
async function keyNamed(keys: SigningKeys, kid: unknown): Promise<CryptoKey> {
  const key = typeof kid === 'string' && /^[\w-]{43}$/.test(kid) ? await keys.find(kid) : null;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key.publicKey;
}

function insufficient(scope: Scope): Problem {
  return challenge(
    'insufficient-scope',
    `This operation needs the scope ${scope}. Request an access token with it.`,
    ['error="insufficient_scope"', `scope="${scope}"`],
  );
}

function challenge(
  code: 'invalid-token' | 'insufficient-scope',
  detail: string,
  attributes: readonly string[],
): Problem {
  const value = `Bearer ${['realm="subscribers"', ...attributes].join(', ')}`;
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': value } });
}
