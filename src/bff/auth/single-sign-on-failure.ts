import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { SingleSignOnProblem } from '../../contract/bff/single-sign-on.ts';

/** Why a sign-in at the OpenID provider came to nothing. It holds codes only: a provider's words may quote anything. */
export class SingleSignOnFailure extends Error {
  override readonly name = 'SingleSignOnFailure';
  readonly code: SingleSignOnProblem;
  /** For the log: a code of the library, or of ours. */
  readonly reason: string;

  constructor(code: SingleSignOnProblem, reason: string) {
    super(code);
    this.code = code;
    this.reason = reason;
  }
}

/** What openid-client threw, or the fetch beneath it, in the terms of the sign-in page. */
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

/** Of the errors of RFC 6749 §4.1.2.1 and §5.2 those that are not about how the desk is set up. */
const named: Partial<Record<string, SingleSignOnProblem>> = {
  // Whoever cancels, or is not let in.
  access_denied: 'cancelled',
  // The code is not of this sign-in: it belongs to another PKCE verifier, or was used.
  invalid_grant: 'untrusted',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
};

/** Codes of openid-client; those of answers that came and were no good begin alike. */
const problems: Partial<Record<string, SingleSignOnProblem>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'misconfigured',
  // The provider's own description of itself is for another issuer, or lacks something.
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'misconfigured',
  OAUTH_MISSING_SERVER_METADATA: 'misconfigured',
  OAUTH_INVALID_SERVER_METADATA: 'misconfigured',
  OAUTH_TIMEOUT: 'unavailable',
  OAUTH_ABORT: 'unavailable',
  // A login page of a proxy, an error page, an overloaded provider.
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'unavailable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'unavailable',
  OAUTH_PARSE_ERROR: 'unavailable',
};
const unusable = /^OAUTH_/;

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

/** The library's code; of a fetch that failed the system's, such as ECONNREFUSED, a level deeper. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  if (error instanceof ClientError && error.cause !== undefined) return codeOf(error.cause);
  return error instanceof Error ? error.name : 'unknown';
}
