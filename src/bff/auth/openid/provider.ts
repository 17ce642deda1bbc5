import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  refreshTokenGrant,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import type { SingleSignOnProblem } from '../../../contract/bff/single-sign-on.ts';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import { claimAt, nameIn, type Claims } from './provider-account.ts';

/** Most time for each step at the provider, and time that its metadata is cached; in ms. */
export const providerLimits = { total: 10_000, metadata: 60 * 60_000 };

/** The user's identity and name; most providers send the role with one of these. */
const defaultScope = 'openid profile email';

/** Values that bind an authorization request to its answer; each is unguessable and for one sign-in. */
export interface Binding {
  state: string;
  nonce: string;
  verifier: string;
}

interface Refreshed {
  /** The one for the next time. */
  refreshToken: string;
  /** The claims about the user as they are now; null where the provider says nothing about the role. */
  claims: (subject: string) => Promise<Claims | null>;
}

/** Where the provider's keys are, and the algorithms that it signs with. */
export interface ProviderKeys {
  issuer: string;
  jwksUri: string;
  algorithms: string[];
}

/** Algorithms with a key of the provider alone: with a shared one, we could sign for it. */
const asymmetric = /^(RS|PS|ES)\d{3}$|^Ed(DSA|25519)$/;

/** The OpenID provider. All functions throw `SingleSignOnFailure` and nothing else. */
export interface Provider {
  /**
   * The page where the browser signs in: code flow with PKCE (RFC 7636), S256.
   *
   * @param options.again true asks for a new sign-in, and for the time of it in `auth_time` (OpenID Connect Core §3.1.2.1)
   */
  authorizationUrl(redirectUri: string, binding: Binding, options: { again: boolean }): Promise<URL>;
  /**
   * The claims about the user who came back with this answer; issuer, state, nonce, audience, times and signature are
   * checked.
   */
  claimsOf(
    answer: URL,
    binding: Binding,
  ): Promise<{ claims: Claims & { iss: string; sub: string; iat: number }; refreshToken: string | null }>;
  /** Checks that a user may still sign in, by a refresh token, which may be good for this one use. */
  refresh(refreshToken: string): Promise<Refreshed>;
  /** Keys that sign the provider's own messages. */
  keys(): Promise<ProviderKeys>;
  /** The page that ends the browser's session at the provider; null if the provider has none. */
  signOutUrl(returnTo: string): Promise<URL | null>;
}

export function createProvider(
  deps: Pick<BffDeps, 'clock'> & { singleSignOn: SingleSignOn },
  limits = providerLimits,
): Provider {
  const { roleClaim, scope = defaultScope } = deps.singleSignOn;
  const discover = createDiscovery(deps, limits);
  const inTime = createTimeLimit(limits.total);
  return {
    authorizationUrl: (redirectUri, { state, nonce, verifier }, { again }) =>
      inTime(async () =>
        buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(again && { max_age: '0' }),
        }),
      ),
    claimsOf: (answer, { state, nonce, verifier }) =>
      inTime(async () => {
        const provider = await discover();
        const tokens = await authorizationCodeGrant(provider, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = tokens.claims();
        if (!claims) throw new SingleSignOnFailure('untrusted', 'no-id-token');
        const isComplete = claimAt(claims, roleClaim) !== undefined && nameIn(claims) !== null;
        const refreshToken = tokens.refresh_token ?? null;
        if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined)
          return { claims, refreshToken };
        // Some providers put only the subject into the ID token, and the rest into the user info.
        const more = await fetchUserInfo(provider, tokens.access_token, claims.sub);
        return { claims: { ...more, ...claims }, refreshToken };
      }),
    async refresh(token) {
      // In a time of its own: a token that is sent when nobody waits any more is used up.
      const provider = await inTime(discover);
      return inTime(async () => {
        const tokens = await refreshTokenGrant(provider, token);
        const claims = (subject: string) =>
          inTime(async () => {
            const given = tokens.claims();
            if (given && given.sub !== subject) throw new SingleSignOnFailure('untrusted', 'other-subject');
            if (given && claimAt(given, roleClaim) !== undefined) return given;
            if (provider.serverMetadata().userinfo_endpoint === undefined) return null;
            const more = await fetchUserInfo(provider, tokens.access_token, subject).catch(userInfoRefused);
            return { ...more, ...given };
          });
        return { refreshToken: tokens.refresh_token ?? token, claims };
      });
    },
    keys: () =>
      inTime(async () => {
        const metadata = (await discover()).serverMetadata();
        const { issuer, jwks_uri: jwksUri } = metadata;
        if (jwksUri === undefined) throw new SingleSignOnFailure('misconfigured', 'no-keys');
        // Discovery requires the list; RS256 is what everybody has (OpenID Connect Core section 15.1).
        const signed = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
        return { issuer, jwksUri, algorithms: signed.filter((name) => asymmetric.test(name)) };
      }),
    signOutUrl: (returnTo) =>
      inTime(async () => {
        const provider = await discover();
        if (provider.serverMetadata().end_session_endpoint === undefined) return null;
        // Without `id_token_hint`: it would put personal data into an address. The provider asks instead of knowing.
        return buildEndSessionUrl(provider, { post_logout_redirect_uri: returnTo });
      }),
  };
}

/** Tells a provider that no longer knows the user from one that fails. */
function userInfoRefused(error: unknown): never {
  // The answer is the cause of the library's error, or its status is the error's own.
  for (let each = error; each instanceof Object; each = (each as { cause?: unknown }).cause)
    if ('status' in each && (each.status === 401 || each.status === 403))
      throw new SingleSignOnFailure('untrusted', 'user-info-refused');
  throw error;
}

/** Each request has its own limit; this one holds for all of a step together. */
function createTimeLimit(total: number) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const timeout = Promise.withResolvers<never>();
    const signal = AbortSignal.timeout(total);
    signal.addEventListener('abort', () => timeout.reject(signal.reason));
    try {
      return await Promise.race([work(), timeout.promise]);
    } catch (error) {
      throw failureFrom(error);
    }
  };
}

/** The provider's metadata, fetched when first needed, once for all who need it, and again when the cache expires. */
function createDiscovery(
  { clock, singleSignOn }: Parameters<typeof createProvider>[0],
  limits: typeof providerLimits,
) {
  let cached: { provider: Configuration; at: number } | undefined;
  let flight: Promise<Configuration> | undefined;
  const fetchOnce = () => {
    flight ??= fetchMetadata(singleSignOn).finally(() => (flight = undefined));
    return flight;
  };
  return async (): Promise<Configuration> => {
    if (cached && clock() - cached.at < limits.metadata) return cached.provider;
    try {
      const provider = await fetchOnce();
      cached = { provider, at: clock() };
      return provider;
    } catch (error) {
      if (cached) return cached.provider;
      throw error;
    }
  };
}

async function fetchMetadata({
  issuer,
  clientId,
  clientSecret,
  fetch,
}: SingleSignOn): Promise<Configuration> {
  const server = new URL(issuer);
  const execute = [enableNonRepudiationChecks];
  // The configuration lets http pass for loopback addresses alone.
  if (server.protocol === 'http:') execute.push(allowInsecureRequests);
  const provider = await discovery(server, clientId, {}, authenticate(clientSecret), {
    execute,
    timeout: providerLimits.total / 1000,
    [customFetch]: asCustomFetch(fetch),
  });
  // openid-client accepts some issuers that are shared by many tenants. There, strangers would name their own roles.
  if (new URL(provider.serverMetadata().issuer).href !== server.href)
    throw new SingleSignOnFailure('misconfigured', 'other-issuer');
  return provider;
}

/** HTTP Basic, the default of RFC 8414 section 2; in the form if the provider does not accept that. */
function authenticate(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

const asCustomFetch =
  (fetch: SingleSignOn['fetch']): CustomFetch =>
  (url, { body, signal, ...init }) => {
    // What openid-client sends is a form, or nothing.
    const sent = body instanceof URLSearchParams ? { ...init, body } : init;
    return fetch(new Request(url, { ...sent, signal: signal ?? null }));
  };

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

/** Turns an error of openid-client or its fetch into a code of the sign-in page. */
function failureFrom(error: unknown): SingleSignOnFailure {
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

/** Codes of openid-client. Those for an answer that failed a check all begin with `OAUTH_`. */
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

/** The library's code; for a failed fetch the system's, such as ECONNREFUSED, in its cause. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  if (error instanceof ClientError && error.cause !== undefined) return codeOf(error.cause);
  return error instanceof Error ? error.name : 'unknown';
}
