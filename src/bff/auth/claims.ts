import { isPlainText } from '../../contract/http/parameter.ts';
import { roles, type Role } from '../../contract/bff/permission.ts';
import { staffNameLength } from '../../contract/bff/staff.ts';

/** What a provider says of somebody, as it came. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * What the claims say at a place: `roles`, or a way with dots such as `realm_access.roles`. Names that hold dots
 * themselves, as the addresses by which some providers name their claims, are found whole.
 */
export function claimAt(claims: Claims, place: string): unknown {
  if (Object.hasOwn(claims, place)) return claims[place];
  return place.split('.').reduce<unknown>((within, name) => {
    const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, name);
    return isObject ? (within as Claims)[name] : undefined;
  }, claims);
}

/** The highest role that a claim names, exactly as the desk calls it; null where it names none. */
export function roleOf(claim: unknown): Role | null {
  const named = [claim].flat();
  return roles.findLast((role) => named.includes(role)) ?? null;
}

/** What somebody is called, as the provider's claims have it; null where none of them can be a name here. */
export function nameIn(claims: Claims): string | null {
  const names = ['preferred_username', 'email', 'name'].map((place) => asName(claims[place]));
  return names.find((name) => name !== null) ?? null;
}

function asName(claim: unknown): string | null {
  if (typeof claim !== 'string' || !isPlainText(claim)) return null;
  return cutTo(claim.trim(), staffNameLength) || null;
}

/** The beginning of a text, in characters that are not cut through. */
export function cutTo(text: string, most: number): string {
  return [...text].slice(0, most).join('').trim();
}
