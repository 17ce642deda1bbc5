import { Refusal } from '../../contract/http/refusal.ts';

export interface SessionCookie {
  /** The id that a request carries, or null. @throws {Refusal} where it carries more than one */
  read(request: Request): string | null;
  /** `Set-Cookie` for a new session: without an age, so that it ends with the browser. */
  give(id: string): string;
  /** `Set-Cookie` that takes it back. */
  take(): string;
}

export interface BrowserCookie {
  /** The id that a request carries, or null; of more than one none counts. */
  read(request: Request): string | null;
  /** `Set-Cookie` that lasts for its time, however often the browser is closed. */
  give(id: string): string;
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
    read(request) {
      const values = valuesOf(request, name);
      // Two of one name mean that somebody planted one, and nothing says which.
      if (values.length > 1)
        throw new Refusal('bad-request', 'There is more than one session. Delete the cookies of this site.');
      return readId(values);
    },
    give: (id) => `${name}=${id}; ${attributes}`,
    take: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** The cookie by which a browser is known again. It opens nothing. */
export function createBrowserCookie(publicUrl: string): BrowserCookie {
  return createLastingCookie(describeCookie(publicUrl, 'desk-known'), knownDays * 24 * 60 * 60);
}

/**
 * The cookie that binds a sign-in at the OpenID provider to the browser that began it. Lax, because the browser comes
 * back from another site; with Path=/, because no narrower path may have the prefix that keeps siblings from planting one.
 *
 * @param life seconds
 */
export function createOpenIdCookie(publicUrl: string, life: number): BrowserCookie {
  return createLastingCookie(describeCookie(publicUrl, 'desk-oidc', 'Lax'), life);
}

/** For how many days a browser is known; longer keeps no browser a cookie (RFC 6265bis section 5.5). */
export const knownDays = 400;

function createLastingCookie(
  { name, attributes }: ReturnType<typeof describeCookie>,
  life: number,
): BrowserCookie {
  return {
    read(request) {
      const values = valuesOf(request, name);
      return values.length > 1 ? null : readId(values);
    },
    give: (id) => `${name}=${id}; Max-Age=${life}; ${attributes}`,
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

function valuesOf(request: Request, name: string): string[] {
  return (request.headers.get('Cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
