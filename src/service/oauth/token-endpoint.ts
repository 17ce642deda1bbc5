import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { api } from '../../contract/service/api.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { readInput } from '../../contract/http/router.ts';
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
import type { ServiceTables } from '../schema.ts';

/** `POST /oauth/token`: the client-credentials grant, with OAuth's own errors (RFC 6749 sections 4.4 and 5.2). */
export function createTokenEndpoint(deps: {
  db: Kysely<ServiceTables>;
  bearer: Bearer;
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const form = await readForm(request);
    if (form instanceof Response) return form;
    const credentials = clientCredentials(request.headers.get('Authorization'), form);
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
    const wanted = readScope(form.scope, allowed);
    if (!wanted)
      return refuse(
        'invalid_scope',
        `The scope is missing or not allowed for this client. Use one or more of: ${allowed.join(' ')}`,
      );
    return answer({
      access_token: await deps.bearer.issue(credentials.id, wanted),
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      scope: wanted.join(' '),
    });
  };
}

/** The table's row, but it keeps unknown fields, so that an empty form can be told from one with other fields. */
const anyForm = { ...api.issueToken, body: z.record(z.string(), z.unknown()) };

async function readForm(request: Request): Promise<TokenRequest | Response> {
  const body = await readInput(anyForm, request, {}).then(
    (input) => input.body,
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );
  if (body instanceof Refusal && body.code === 'too-large')
    return refuse('invalid_request', body.message, 413);
  if (body instanceof Refusal || Object.keys(body).length === 0)
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
  const wanted = scopes.filter((scope) => names.has(scope) && allowed.includes(scope));
  return wanted.length > 0 && wanted.length === names.size ? wanted : null;
}

/** RFC 6749 section 5.1 requires it in addition to `Cache-Control: no-store`, which every answer of the service has. */
const uncached = { Pragma: 'no-cache' };

function answer(body: TokenAnswer): Response {
  return Response.json(body, { headers: uncached });
}

function refuse(
  error: TokenErrorCode,
  error_description: string,
  status: number = tokenErrors[error],
): Response {
  const challenge =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="subscribers", charset="UTF-8"' } : {};
  return Response.json({ error, error_description }, { status, headers: { ...uncached, ...challenge } });
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
