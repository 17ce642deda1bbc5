import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { SingleSignOnProblem } from '../../../contract/bff/single-sign-on.ts';

/** Why single sign-on failed. It holds codes only: a provider's words may quote anything. */
export class SingleSignOnFailure extends Error {
  override readonly name = 'SingleSignOnFailure';
  readonly code: SingleSignOnProblem;
  /** For the log: a code of the library or of our own. */
  readonly reason: string;

  constructor(code: SingleSignOnProblem, reason: string) {
    super(code);
    this.code = code;
    this.reason = reason;
  }
}

/** Turns an error of openid-client, jose or their fetch into a code of the sign-in page. */
export function failureFrom(error: unknown): SingleSignOnFailure {
  if (error instanceof SingleSignOnFailure) return error;
  if (error instanceof AuthorizationResponseError)
    return new SingleSignOnFailure(named[error.error] ?? 'misconfigured', `answered-${wordOf(error.error)}`);
  if (error instanceof ResponseBodyError)
    return new SingleSignOnFailure(named[error.error] ?? 'misconfigured', `token-${wordOf(error.error)}`);
  if (error instanceof WWWAuthenticateChallengeError)
    return new SingleSignOnFailure('misconfigured', 'token-challenge');
  const code = codeOf(error);
  return new SingleSignOnFailure(problems[code] ?? (unusable.test(code) ? 'untrusted' : 'unavailable'), code);
}

/** Those errors of RFC 6749 §4.1.2.1 and §5.2 that are not about our configuration. */
const named: Partial<Record<string, SingleSignOnProblem>> = {
  // The user cancelled, or the provider does not let them in.
  access_denied: 'cancelled',
  // The code belongs to another PKCE verifier, or was used before.
  invalid_grant: 'untrusted',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
};

/** Codes of the two libraries that are not about an answer that failed a check. */
const problems: Partial<Record<string, SingleSignOnProblem>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'misconfigured',
  // The provider's metadata is for another issuer, or lacks something.
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'misconfigured',
  OAUTH_MISSING_SERVER_METADATA: 'misconfigured',
  OAUTH_INVALID_SERVER_METADATA: 'misconfigured',
  OAUTH_TIMEOUT: 'unavailable',
  OAUTH_ABORT: 'unavailable',
  // A login page of a proxy, an error page, an overloaded provider.
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'unavailable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'unavailable',
  OAUTH_PARSE_ERROR: 'unavailable',
  // The same from the address of the keys.
  ERR_JOSE_GENERIC: 'unavailable',
  ERR_JWKS_INVALID: 'unavailable',
  ERR_JWKS_TIMEOUT: 'unavailable',
};
const unusable = /^(OAUTH|ERR_J)/;

/** The errors that RFC 6749 names; a provider may send any text. */
const known = [
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
];
const wordOf = (text: string) => (known.includes(text) ? text : 'other');

/** The library's code; for a failed fetch the system's, such as ECONNREFUSED, in its cause. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  if (error instanceof ClientError && error.cause !== undefined) return codeOf(error.cause);
  return error instanceof Error ? error.name : 'unknown';
}
