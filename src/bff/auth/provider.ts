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
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import type { BffDeps, SingleSignOn } from '../deps.ts';
import { claimAt, nameIn, type Claims } from './claims.ts';
import { failureFrom, SingleSignOnFailure } from './single-sign-on-failure.ts';

/** How long anything at the provider may take, in ms, and how long its description of itself is believed. */
export const providerLimits = { total: 10_000, description: 60 * 60_000 };

/** Who somebody is and what to call them; a role comes with one of these at most providers. */
const usualScope = 'openid profile email';

/** What binds an authorization request to its answer; all of it is unguessable and for one sign-in. */
export interface Binding {
  state: string;
  nonce: string;
  verifier: string;
}

/** The OpenID provider. Everything throws `SingleSignOnFailure` and nothing else. */
export interface Provider {
  /** Where the browser goes to sign in: code flow with PKCE (RFC 7636), S256. */
  authorizationUrl(redirectUri: string, binding: Binding): Promise<URL>;
  /** Who came back with this answer, checked in every way: issuer, state, nonce, audience, times, signature. */
  claimsOf(answer: URL, binding: Binding): Promise<Claims & { iss: string; sub: string }>;
  /** Where the browser ends the session at the provider; null where the provider has no such page. */
  signOutUrl(comeBackTo: string): Promise<URL | null>;
}

export function createProvider(
  deps: Pick<BffDeps, 'clock'> & { singleSignOn: SingleSignOn },
  limits = providerLimits,
): Provider {
  const { roleClaim, scope = usualScope } = deps.singleSignOn;
  const discover = createDiscovery(deps, limits);
  const inTime = createTimeLimit(limits.total);
  return {
    authorizationUrl: (redirectUri, { state, nonce, verifier }) =>
      inTime(async () =>
        buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
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
        const told = claimAt(claims, roleClaim) !== undefined && nameIn(claims) !== null;
        if (told || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
        // Some providers say in the ID token no more than who it is, and the rest where they are asked for it.
        return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
      }),
    signOutUrl: (comeBackTo) =>
      inTime(async () => {
        const provider = await discover();
        if (provider.serverMetadata().end_session_endpoint === undefined) return null;
        // Without `id_token_hint`: it would put personal data into an address. The provider asks instead of knowing.
        return buildEndSessionUrl(provider, { post_logout_redirect_uri: comeBackTo });
      }),
  };
}

/** Each step is limited by itself, and here all of them together; what is still under way then ends by its own limit. */
function createTimeLimit(total: number) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<never>();
    const signal = AbortSignal.timeout(total);
    signal.addEventListener('abort', () => late.reject(signal.reason));
    try {
      return await Promise.race([work(), late.promise]);
    } catch (error) {
      throw failureFrom(error);
    }
  };
}

/** The provider's description of itself, fetched when first needed, however many need it, and again after a while. */
function createDiscovery(
  { clock, singleSignOn }: Parameters<typeof createProvider>[0],
  limits: typeof providerLimits,
) {
  let held: { provider: Configuration; at: number } | undefined;
  let flight: Promise<Configuration> | undefined;
  const fetchOnce = () => {
    flight ??= describe(singleSignOn).finally(() => (flight = undefined));
    return flight;
  };
  return async (): Promise<Configuration> => {
    if (held && clock() - held.at < limits.description) return held.provider;
    try {
      const provider = await fetchOnce();
      held = { provider, at: clock() };
      return provider;
    } catch (error) {
      if (held) return held.provider;
      throw error;
    }
  };
}

async function describe({ issuer, clientId, clientSecret, fetch }: SingleSignOn): Promise<Configuration> {
  const server = new URL(issuer);
  const execute = [enableNonRepudiationChecks];
  // The configuration lets http pass for loopback addresses alone.
  if (server.protocol === 'http:') execute.push(allowInsecureRequests);
  const provider = await discovery(server, clientId, {}, authenticate(clientSecret), {
    execute,
    timeout: providerLimits.total / 1000,
    [customFetch]: asCustomFetch(fetch),
  });
  // openid-client lets some issuers that stand for many pass. With one of them, strangers would name their own roles.
  if (new URL(provider.serverMetadata().issuer).href !== server.href)
    throw new SingleSignOnFailure('misconfigured', 'other-issuer');
  return provider;
}

/** HTTP Basic, which is what a provider takes that says nothing (RFC 8414 §2); in the form where it is not taken. */
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
