import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import type { SingleSignOn } from '../../deps.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';

/** The provider's keys; jose takes none that is shared with us, with which we could sign for it. */
export interface ProviderKeys {
  issuer: string;
  algorithms: string[];
  /** Finds the key of a token; it is fetched when needed, and for an unknown key at most twice a minute. */
  find: JWTVerifyGetKey;
}

/** Makes the function that gives a provider's keys. @throws {SingleSignOnFailure} if the provider names none */
export function createKeys({ fetch }: SingleSignOn): (provider: Configuration) => ProviderKeys {
  const sets = new Map<string, JWTVerifyGetKey>();
  return (provider) => {
    const {
      issuer,
      jwks_uri: uri,
      id_token_signing_alg_values_supported: signed,
    } = provider.serverMetadata();
    if (uri === undefined) throw new SingleSignOnFailure('misconfigured', 'no-keys');
    // Who changes them on the way could sign for the provider. The issuer has http on loopback addresses alone.
    if (new URL(uri).protocol !== 'https:' && new URL(issuer).protocol === 'https:')
      throw new SingleSignOnFailure('misconfigured', 'insecure-keys');
    const find =
      sets.get(uri) ??
      createRemoteJWKSet(new URL(uri), { [customFetch]: (url, init) => fetch(new Request(url, init)) });
    sets.set(uri, find);
    // Discovery requires the list; RS256 is what everybody has (OpenID Connect Core section 15.1).
    return { issuer, algorithms: signed ?? ['RS256'], find };
  };
}
