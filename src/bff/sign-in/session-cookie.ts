import { Refusal } from '../../contract/problem.ts';

export interface SessionCookie {
  /** The id that a request carries, or null. @throws {Refusal} where it carries more than one */
  read(request: Request): string | null;
  /** `Set-Cookie` for a new session: without an age, so that it ends with the browser. */
  give(id: string): string;
  /** `Set-Cookie` that takes it back. */
  take(): string;
}

/** 256 bits in base64url. */
const idForm = /^[\w-]{43}$/;

/**
 * The cookie that holds a session's id. On https its name has the prefixes that make browsers insist on Secure,
 * Path=/, no Domain and HttpOnly, so that neither a sibling domain nor a script can plant one.
 */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const secure = new URL(publicUrl).protocol === 'https:';
  const name = secure ? '__Host-Http-desk' : 'desk';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    read(request) {
      const values = valuesOf(request.headers.get('Cookie') ?? '', name);
      // Two of one name mean that somebody planted one, and nothing says which.
      if (values.length > 1)
        throw new Refusal('bad-request', 'There is more than one session. Delete the cookies of this site.');
      return values[0] !== undefined && idForm.test(values[0]) ? values[0] : null;
    },
    give: (id) => `${name}=${id}; ${attributes}`,
    take: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function valuesOf(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
