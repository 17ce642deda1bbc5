import { Answer } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import {
  scopes,
  tokenErrors,
  TokenRequest,
  type TokenAnswer,
  type TokenErrorCode,
  type Scope,
} from '../../contract/service/token.ts';
import { authenticateClient } from './api-clients.ts';
import type { Bearer } from './bearer.ts';
import { tokenLifetime } from './signing-keys.ts';
import type { FormHandler } from '../deps.ts';
import type { ServiceDb } from '../schema.ts';

/** `POST /oauth/token`: the client-credentials grant, with OAuth's own errors (RFC 6749 sections 4.4 and 5.2). */
export function createTokenEndpoint(deps: { db: ServiceDb; bearer: Bearer }): FormHandler {
  return async (readFields, authorization) => {
    const form = await readForm(readFields);
    if (form instanceof Answer) return form;
    const credentials = clientCredentials(authorization, form);
    if (credentials === 'twice')
      return refuse(
        'invalid_request',
        'The client credentials came twice. Send them in the form or as HTTP Basic, not both.',
      );
    const allowed = credentials && (await authenticateClient(deps.db, credentials.id, credentials.secret));
    if (!credentials || !allowed)
      return refuse('invalid_client', 'The client ID or the secret is missing or wrong. Check both.');
    if (form.grant_type !== 'client_credentials')
      return refuse(
        'unsupported_grant_type',
        'The grant type is missing or not supported. Use grant_type=client_credentials.',
      );
    const granted = readScope(form.scope, allowed);
    if (!granted)
      return refuse(
        'invalid_scope',
        `The scope is missing or not allowed for this client. Use one or more of: ${allowed.join(' ')}`,
      );
    const body: TokenAnswer = {
      access_token: await deps.bearer.issue(credentials.id, granted),
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      scope: granted.join(' '),
    };
    return new Answer(body, { headers: uncached });
  };
}

async function readForm(readFields: Parameters<FormHandler>[0]): Promise<TokenRequest | Answer> {
  const body = await readFields().catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  if (body instanceof Problem && body.code === 'too-large')
    return refuse('invalid_request', body.message, 413);
  if (body instanceof Problem || Object.keys(body).length === 0)
    return refuse(
      'invalid_request',
      'The form is missing or empty. Send it as application/x-www-form-urlencoded.',
    );
  const form = TokenRequest.safeParse(body);
  // RFC 6749 section 3.2: a parameter must not be repeated.
  return form.success
    ? form.data
    : refuse('invalid_request', 'A parameter is repeated. Send each parameter once.');
}

/** The requested scopes, without repetitions; null if there are none or one is not allowed for this client. */
function readScope(text: string | undefined, allowed: readonly Scope[]): Scope[] | null {
  const names = new Set((text ?? '').split(' ').filter((name) => name !== ''));
  const requested = scopes.filter((scope) => names.has(scope) && allowed.includes(scope));
  return requested.length > 0 && requested.length === names.size ? requested : null;
}

/** RFC 6749 section 5.1 requires it in addition to `Cache-Control: no-store`, which every answer of the service has. */
const uncached = { Pragma: 'no-cache' };

function refuse(
  error: TokenErrorCode,
  error_description: string,
  status: number = tokenErrors[error],
): Answer {
  const challenge =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="subscribers", charset="UTF-8"' } : {};
  return new Answer({ error, error_description }, { status, headers: { ...uncached, ...challenge } });
}

interface ClientCredentials {
  id: string;
  secret: string;
}

/**
 * The client's id and secret, by HTTP Basic or by the form's `client_id` and `client_secret` (RFC 6749 section 2.3.1).
 *
 * @returns null if they are missing or cannot be read; `twice` if the client uses both ways
 */
function clientCredentials(
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

/** Each half is form-encoded before they are joined, so that an id may contain a colon. */
const formDecode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
