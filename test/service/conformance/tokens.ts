import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { fillPath } from '../../../src/contract/http/endpoint.ts';
import type { ServiceEndpoint } from '../../../src/contract/service/read-api.ts';
import { bodyLimit } from '../../../src/contract/http/router.ts';
import { TokenAnswer } from '../../../src/contract/service/token.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { tokenRequest, type Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

/** `POST /oauth/token`, both ways of client authentication, and what a token then opens. */
export function tokens(begin: Begin): void {
  describe('a token', () => {
    issued(begin);
  });
  describe('a token is refused', () => {
    refused(begin);
  });
  describe.each(guarded)('$method $path', (row) => {
    guardedBy(begin, row);
  });
}

const guarded = Object.values<ServiceEndpoint>(api).filter(({ access }) => access !== 'public');

async function refusalOf(response: Response): Promise<string> {
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Content-Type')).toContain('application/json');
  expect(response.headers.has('WWW-Authenticate')).toBe(response.status === 401);
  const { error, error_description: description } = (await response.json()) as Record<string, string>;
  // RFC 6749 §5.2: what a description may be written in.
  expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  return `${response.status} ${error}`;
}

const form = 'application/x-www-form-urlencoded';

function post({ base }: Caller, body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request(`${base}/oauth/token`, { method: 'POST', body, headers });
}

function basic(id: string, secret: string): Record<string, string> {
  const pair = [id, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':');
  return { Authorization: `Basic ${btoa(pair)}` };
}

function issued(begin: Begin): void {
  test('is answered for client credentials in the form, uncached, for an hour', async () => {
    const caller = await begin();
    const response = await caller.fetch(
      tokenRequest(caller, { scope: 'subscribers:write subscribers:read' }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'subscribers:read subscribers:write',
    });
  });

  test('is answered for client credentials by HTTP Basic', async () => {
    const caller = await begin();
    const { id, secret } = caller.credentials;
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'subscribers:read' });
    expect((await caller.fetch(post(caller, body, basic(id, secret)))).status).toBe(200);
    expect(await refusalOf(await caller.fetch(post(caller, body, basic(id, 'wrong'))))).toBe(
      '401 invalid_client',
    );
  });

  test('is a JWT as RFC 9068 wants it, signed, for one hour', async () => {
    const caller = await begin();
    const response = await caller.fetch(tokenRequest(caller, {}));
    const { access_token: token } = TokenAnswer.parse(await response.json());
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: caller.base,
      aud: caller.base,
      sub: caller.credentials.id,
      client_id: caller.credentials.id,
      scope: 'subscribers:read',
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 3600,
      jti: expect.any(String),
    });
  });

  test('is taken whatever the case of the scheme', async () => {
    const { send, token } = await begin();
    const headers = { Authorization: `bEARER ${await token('subscribers:read')}` };
    expect((await send('GET', '/subscribers', { token: null, headers })).status).toBe(200);
  });
}

function refused(begin: Begin): void {
  test.each<[string, (caller: Caller) => Request]>([
    ['no body', (to) => post(to, null)],
    ['an empty body', (to) => post(to, '', { 'Content-Type': form })],
    ['JSON', (to) => post(to, '{"grant_type":"client_credentials"}', { 'Content-Type': 'application/json' })],
    ['a body of no type', (to) => post(to, new TextEncoder().encode('grant_type=client_credentials'))],
    ['a parameter that comes twice', (to) => post(to, new URLSearchParams('scope=a&scope=b'))],
    ['a form that is not UTF-8', (to) => post(to, new Uint8Array([97, 61, 255]), { 'Content-Type': form })],
  ])('with 404 invalid_request for %s', async (_, request) => {
    const caller = await begin();
    expect(await refusalOf(await caller.fetch(request(caller)))).toBe('404 invalid_request');
  });

  test('with 404 invalid_request for credentials by both ways at once', async () => {
    const caller = await begin();
    const request = tokenRequest(caller, {});
    request.headers.set('Authorization', `Basic ${btoa('client:x')}`);
    expect(await refusalOf(await caller.fetch(request))).toBe('404 invalid_request');
  });

  test.each<[string, (secret: string) => Record<string, string | null>]>([
    ['an unknown client', () => ({ client_id: 'nobody-of-this-name' })],
    ['a wrong secret', () => ({ client_secret: 'wrong' })],
    ['a secret that only begins right', (secret) => ({ client_secret: secret.slice(0, -1) })],
    ['no secret', () => ({ client_secret: null })],
    ['no client', () => ({ client_id: null })],
  ])('with 401 invalid_client for %s', async (_, fields) => {
    const caller = await begin();
    const request = tokenRequest(caller, fields(caller.credentials.secret));
    expect(await refusalOf(await caller.fetch(request))).toBe('401 invalid_client');
  });

  test.each([['!'], [btoa('client')], [btoa('%E0:x')], ['']])(
    'with 401 invalid_client for Basic credentials that cannot be read: "%s"',
    async (value) => {
      const caller = await begin();
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      const response = await caller.fetch(post(caller, body, { Authorization: `Basic ${value}` }));
      expect(await refusalOf(response)).toBe('401 invalid_client');
    },
  );

  test.each([[null], ['password'], ['authorization_code'], ['Client_Credentials']])(
    'with 401 unsupported_grant_type for the grant type %s',
    async (type) => {
      const caller = await begin();
      const response = await caller.fetch(tokenRequest(caller, { grant_type: type }));
      expect(await refusalOf(response)).toBe('401 unsupported_grant_type');
    },
  );

  test.each([[null], ['subscribers:delete'], ['subscribers:read subscribers:delete'], ['  ']])(
    'with 400 invalid_scope for the scope: %s',
    async (scope) => {
      const caller = await begin();
      expect(await refusalOf(await caller.fetch(tokenRequest(caller, { scope })))).toBe('400 invalid_scope');
    },
  );

  test('with 413 for a body over the limit', async () => {
    const caller = await begin();
    const response = await caller.fetch(tokenRequest(caller, { scope: 'x'.repeat(bodyLimit) }));
    expect(await refusalOf(response)).toBe('413 invalid_request');
  });
}

function guardedBy(begin: Begin, row: ServiceEndpoint): void {
  const path = fillPath(row.path, { id: 1, accessToken: 'x' });

  test('is refused without a token, by a challenge that names no error', async () => {
    const { send } = await begin();
    const response = await send(row.method, path, { token: null });
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="subscribers"');
    expect(await problemOf(response)).toMatchObject({ problem: '401 invalid-token' });
  });

  test.each(['x', 'a.b.c', '..'])('is refused with a token that is none: "%s"', async (token) => {
    const { send } = await begin();
    const response = await send(row.method, path, { token });
    expect(response.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="subscribers", error="invalid_token"',
    );
    expect(await problemOf(response)).toMatchObject({ problem: '401 invalid-token' });
  });

  test(`is opened by a token of ${row.access} alone`, async () => {
    const { send, token } = await begin();
    const response = await send(row.method, path.replace('1', 'no-number'), {
      token: await token(row.access === 'public' ? 'subscribers:read' : row.access),
    });
    expect([200, 404, 415, 422]).toContain(response.status);
  });

  test('is refused with a token of the other scope, before its input is read', async () => {
    const { send, token } = await begin();
    const other = await token(row.access === 'subscribers:read' ? 'subscribers:write' : 'subscribers:read');
    const response = await send(row.method, path.replace('1', 'no-number'), { token: other });
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer realm="subscribers", error="insufficient_scope", scope="${row.access}"`,
    );
    expect(await problemOf(response)).toMatchObject({ problem: '403 insufficient-scope' });
  });
}
