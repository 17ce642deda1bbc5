import type { TokenRequest } from '../../contract/service/token.ts';

export interface ClientCredentials {
  id: string;
  secret: string;
}

/**
 * Who asks for a token: by HTTP Basic, or by the form's `client_id` and `client_secret` (RFC 6749 §2.3.1).
 *
 * @returns null where they are missing or cannot be read; `twice` for a client that uses both ways
 */
export function clientCredentials(
  authorization: string | null,
  form: TokenRequest,
): ClientCredentials | 'twice' | null {
  const basic = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (basic !== undefined) return form.client_secret === undefined ? readBasic(basic) : 'twice';
  if (form.client_id === undefined || form.client_secret === undefined) return null;
  return { id: form.client_id, secret: form.client_secret };
}

function readBasic(encoded: string): ClientCredentials | null {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const [id, ...rest] = new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(':');
    if (id === undefined || rest.length === 0) return null;
    return { id: formDecode(id), secret: formDecode(rest.join(':')) };
  } catch {
    return null;
  }
}

/** Each half is form-encoded before the two are joined, so that an id may hold a colon. */
const formDecode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
