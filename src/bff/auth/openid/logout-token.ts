import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import type { ProviderKeys } from './provider-keys.ts';

/** Claims of a logout token: the user or the session that the provider has ended, and when, in ms since 1970. */
export interface LogoutToken {
  issuer: string;
  jti: string;
  /** The session; null where all of the subject's have ended. At least one of the two is there. */
  sid: string | null;
  subject: string | null;
  issuedAt: number;
}

/** Why a logout token is not believed. It holds a code only: the token may say anything. */
export class LogoutTokenFault extends Error {
  override readonly name = 'LogoutTokenFault';
}

/** Largest difference from the provider's clock, and largest age of a token, in seconds. */
const clockTolerance = 60;
const mostAge = 600;

/** The longest token that is looked at, in characters. */
const longest = 16_384;

const event = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Checks logout tokens to the letter of OpenID Connect Back-Channel Logout 1.0 section 2.6; whether one comes again is
 * for its caller to say. What shows without the provider's keys is checked first, so that strangers cause no requests.
 */
export function createLogoutTokenCheck(
  { clock, singleSignOn }: Pick<BffDeps, 'clock'> & { singleSignOn: SingleSignOn },
  providerKeys: () => Promise<ProviderKeys>,
): (token: unknown) => Promise<LogoutToken> {
  return async (token) => {
    if (typeof token !== 'string' || token === '' || token.length > longest)
      throw new LogoutTokenFault('no-token');
    checkType(token);
    const provider = await providerKeys().catch(() => {
      throw new LogoutTokenFault('no-keys');
    });
    const rules = {
      typ,
      issuer: provider.issuer,
      audience: singleSignOn.clientId,
      algorithms: provider.algorithms,
      requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti', 'events'],
      clockTolerance,
      maxTokenAge: mostAge,
      currentDate: new Date(clock()),
    };
    try {
      const { payload } = await jwtVerify(token, provider.find, rules);
      return readClaims(payload, provider.issuer);
    } catch (error) {
      throw error instanceof LogoutTokenFault ? error : new LogoutTokenFault(codeOf(error));
    }
  };
}

const typ = 'logout+jwt';

function checkType(token: string): void {
  try {
    const { typ: given } = decodeProtectedHeader(token);
    if (given?.replace(/^application\//i, '').toLowerCase() !== typ) throw new LogoutTokenFault('typ');
    readClaims(decodeJwt(token));
  } catch (error) {
    throw error instanceof LogoutTokenFault ? error : new LogoutTokenFault('no-token');
  }
}

/** @param issuer what the signature was checked for; before that, what the token says */
function readClaims(claims: JWTPayload, issuer = claims.iss ?? ''): LogoutToken {
  const { aud, jti, events, sub, sid, iat } = claims;
  // An audience besides us is one that we do not trust (OpenID Connect Core section 3.1.3.7).
  if ([aud].flat().length !== 1) throw new LogoutTokenFault('aud');
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenFault('jti');
  if (!isObject(events) || !Object.hasOwn(events, event) || !isObject(events[event]))
    throw new LogoutTokenFault('events');
  if (Object.hasOwn(claims, 'nonce')) throw new LogoutTokenFault('nonce');
  const whose = { sid: textOf(sid), subject: textOf(sub) };
  if (whose.sid === null && whose.subject === null) throw new LogoutTokenFault('nobody');
  return { issuer, jti, ...whose, issuedAt: (iat ?? 0) * 1000 };
}

function textOf(claim: unknown): string | null {
  if (claim === undefined) return null;
  if (typeof claim !== 'string' || claim === '') throw new LogoutTokenFault('nobody');
  return claim;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** jose's code; its errors for an unknown or missing key come from what was fetched, all others from the token. */
function codeOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  if (error instanceof errors.JOSEError) return error.code;
  return 'no-keys';
}
