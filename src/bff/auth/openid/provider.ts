import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  fetchUserInfo,
  refreshTokenGrant,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import { compactVerify } from 'jose';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import { claimAt, nameIn, type Claims } from './provider-account.ts';
import { createKeys, type ProviderKeys } from './provider-keys.ts';
import { failureFrom, SingleSignOnFailure } from './single-sign-on-failure.ts';

/**
 * Most time for each step at the provider, and of that for its metadata; time that these are cached, and until they are fetched
 * again after a failure; in ms.
 */
export const providerLimits = { total: 10_000, fetch: 5_000, metadata: 60 * 60_000, retry: 60_000 };

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
  const keysOf = createKeys(deps.singleSignOn);
  /** The ID token's claims. The library has checked all but the signature. */
  const claimsIn = async (provider: Configuration, tokens: Awaited<ReturnType<typeof refreshTokenGrant>>) => {
    const { algorithms, find } = keysOf(provider);
    if (tokens.id_token !== undefined) await compactVerify(tokens.id_token, find, { algorithms });
    return tokens.claims();
  };
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
        const claims = await claimsIn(provider, tokens);
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
            const given = await claimsIn(provider, tokens);
            if (given && given.sub !== subject) throw new SingleSignOnFailure('untrusted', 'other-subject');
            if (given && claimAt(given, roleClaim) !== undefined) return given;
            if (provider.serverMetadata().userinfo_endpoint === undefined) return null;
            const more = await fetchUserInfo(provider, tokens.access_token, subject).catch(userInfoRefused);
            return { ...more, ...given };
          });
        return { refreshToken: tokens.refresh_token ?? token, claims };
      });
    },
    keys: () => inTime(async () => keysOf(await discover())),
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
    flight ??= fetchMetadata(singleSignOn, limits).finally(() => (flight = undefined));
    return flight;
  };
  return async (): Promise<Configuration> => {
    if (cached && clock() - cached.at < limits.metadata) return cached.provider;
    try {
      const provider = await fetchOnce();
      cached = { provider, at: clock() };
      return provider;
    } catch (error) {
      if (!cached) throw error;
      cached.at = clock() - limits.metadata + limits.retry;
      return cached.provider;
    }
  };
}

async function fetchMetadata(
  { issuer, clientId, clientSecret, fetch }: SingleSignOn,
  limits: typeof providerLimits,
): Promise<Configuration> {
  const server = new URL(issuer);
  const provider = await discovery(server, clientId, {}, authenticate(clientSecret), {
    // The configuration lets http pass for loopback addresses alone.
    execute: server.protocol === 'http:' ? [allowInsecureRequests] : [],
    timeout: limits.fetch / 1000,
    [customFetch]: asCustomFetch(fetch),
  });
  provider.timeout = limits.total / 1000;
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
