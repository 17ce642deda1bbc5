import { Problem } from '../../contract/http/problem.ts';
import type { RequestHeaders } from '../http/context.ts';

export interface SessionCookie {
  /** The id in a request, or null. @throws {Problem} `bad-request` if there is more than one */
  read(headers: RequestHeaders): string | null;
  /** `Set-Cookie` for a new session: without an age, so that it ends with the browser. */
  set(id: string): string;
  /** `Set-Cookie` that deletes it. */
  clear(): string;
}

interface BrowserCookie {
  /** The id in a request; null if there is none or more than one. */
  read(headers: RequestHeaders): string | null;
  /** `Set-Cookie` that outlives the browser's session. */
  set(id: string): string;
}

/** 256 bits in base64url. */
const idForm = /^[\w-]{43}$/;

/**
 * The cookie that holds a session's id. On https its name has the prefixes that make browsers insist on Secure,
 * Path=/, no Domain and HttpOnly, so that neither a sibling domain nor a script can plant one.
 */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const { name, attributes } = describeCookie(publicUrl, 'desk');
  return {
    read(headers) {
      const values = valuesOf(headers, name);
      // Two cookies with one name mean that someone planted one of them, and nothing shows which.
      if (values.length > 1)
        throw new Problem(
          'bad-request',
          'Your browser sent more than one session. Delete the cookies of this site, then sign in again.',
        );
      return readId(values);
    },
    set: (id) => `${name}=${id}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** The cookie that recognises a browser. It does not sign anyone in. */
export function createBrowserCookie(publicUrl: string): BrowserCookie {
  return createLastingCookie(describeCookie(publicUrl, 'desk-known'), knownDays * 24 * 60 * 60);
}

/**
 * The cookie that binds a sign-in at the OpenID provider to the browser that began it. Lax, because the browser comes
 * back from another site; Path=/, because the prefix that keeps sibling domains from planting one allows no other.
 *
 * @param life seconds
 */
export function createOpenIdCookie(publicUrl: string, life: number): BrowserCookie {
  return createLastingCookie(describeCookie(publicUrl, 'desk-oidc', 'Lax'), life);
}

/** For how many days a browser is known; browsers keep no cookie longer (RFC 6265bis section 5.5). */
export const knownDays = 400;

function createLastingCookie(
  { name, attributes }: ReturnType<typeof describeCookie>,
  life: number,
): BrowserCookie {
  return {
    read(headers) {
      const values = valuesOf(headers, name);
      return values.length > 1 ? null : readId(values);
    },
    set: (id) => `${name}=${id}; Max-Age=${life}; ${attributes}`,
  };
}

function describeCookie(publicUrl: string, name: string, sameSite: 'Strict' | 'Lax' = 'Strict') {
  const secure = new URL(publicUrl).protocol === 'https:';
  return {
    name: secure ? `__Host-Http-${name}` : name,
    attributes: `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`,
  };
}

function readId([value]: readonly string[]): string | null {
  return value !== undefined && idForm.test(value) ? value : null;
}

function valuesOf(headers: RequestHeaders, name: string): string[] {
  // Not by `split`: of 15 KB of semicolons, that takes half a ms each time.
  const pairs = (headers.get('Cookie') ?? '').matchAll(new RegExp(`(?:^|;)[ \\t]*${name}=([^;]*)`, 'g'));
  return [...pairs].map(([, value = '']) => value.trim());
}
