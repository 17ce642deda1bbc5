import * as z from 'zod/mini';
import type { SingleSignOn } from '../../bff/bff.ts';
import { isLoopback } from '../http/is-loopback.ts';

/** The OpenID provider, and how it knows the desk. */
export type OpenIdConfig = Omit<SingleSignOn, 'fetch'>;

const text = (fits: (value: string) => boolean, sentence: string) =>
  z.optional(z.string().check(z.refine(fits, sentence)));

/** The variables of single sign-on; all of them are set, or none, but for those that have a default. */
export const openIdVariables = {
  OIDC_ISSUER: text(
    isIssuer,
    'Set OIDC_ISSUER to the issuer of the OpenID provider, such as https://id.example.com/realms/staff, without a query; http for this machine alone.',
  ),
  OIDC_CLIENT_ID: text(isFilled, 'Set OIDC_CLIENT_ID to the id that the OpenID provider knows the desk by.'),
  OIDC_CLIENT_SECRET: text(
    isFilled,
    'Set OIDC_CLIENT_SECRET to the secret that the OpenID provider gave for the desk.',
  ),
  OIDC_ROLE_CLAIM: text(
    isFilled,
    'Set OIDC_ROLE_CLAIM to the claim that names the role, such as roles or realm_access.roles.',
  ),
  OIDC_SCOPE: text(
    isScope,
    'Set OIDC_SCOPE to what the provider is asked for, openid among it, with one space between each, such as openid profile groups.',
  ),
};

type Read = { [N in keyof typeof openIdVariables]?: string | undefined };

/** What is wrong with the variables together: a sentence for each that is missing beside the others. */
export function openIdGaps(read: Read): string[] {
  const all = Object.keys(openIdVariables) as (keyof Read)[];
  if (all.every((name) => read[name] === undefined)) return [];
  const names = all.filter((name) => name !== 'OIDC_ROLE_CLAIM' && name !== 'OIDC_SCOPE');
  const missing = names.filter((name) => read[name] === undefined);
  return missing.map(
    (name) => `Set ${name} too: for single sign-on, the desk needs all of ${names.join(', ')}.`,
  );
}

/** The provider, or null where none is named. */
export function openIdOf(read: Read): OpenIdConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (!issuer || !clientId || !clientSecret) return null;
  const { OIDC_ROLE_CLAIM: roleClaim = usualRoleClaim, OIDC_SCOPE: scope } = read;
  return { issuer, clientId, clientSecret, roleClaim, ...(scope !== undefined && { scope }) };
}

/** What Entra ID calls it, and others where nobody chose another name. */
const usualRoleClaim = 'roles';

/** As text first: parsing would drop a `/.` and hide a user's name. */
function isIssuer(value: string): boolean {
  const url =
    /^https?:\/\/[^?#@\s\\]+$/i.test(value) && !/\/\.{1,2}(\/|$)/.test(value) ? URL.parse(value) : null;
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}

/** RFC 6749 section 3.3; without `openid` it would be no OpenID request (OpenID Connect Core section 3.1.2.1). */
function isScope(value: string): boolean {
  const names = value.split(' ');
  return names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) && names.includes('openid');
}

function isFilled(value: string): boolean {
  return value.trim() !== '' && !/\p{Cc}/u.test(value);
}
