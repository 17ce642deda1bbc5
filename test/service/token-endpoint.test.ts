import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { TokenAnswer } from '../../src/contract/token.ts';
import { setApiClient } from '../../src/service/api-clients.ts';
import { credentials, issuer, startService, tokenRequest } from './harness.ts';

async function refusalOf(response: Response): Promise<string> {
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Content-Type')).toContain('application/json');
  expect(response.headers.has('WWW-Authenticate')).toBe(response.status === 401);
  const { error, error_description: description } = (await response.json()) as Record<string, string>;
  // RFC 6749 §5.2: what a description may be written in.
  expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  return `${response.status} ${error}`;
}

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request(`${issuer}/oauth/token`, { method: 'POST', body, headers });
}

function basic(id: string, secret: string): Record<string, string> {
  const pair = [id, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':');
  return { Authorization: `Basic ${btoa(pair)}` };
}

describe('a token', () => {
  test('is answered for client credentials in the form, uncached, for an hour', async () => {
    const { fetch } = await startService();
    const response = await fetch(tokenRequest({ scope: 'subscribers:write subscribers:read' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'subscribers:read subscribers:write',
    });
  });

  test('is answered for client credentials by HTTP Basic, form-encoded before they are joined', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: 'a:b c', secrets: ['ü:% +'], scopes: ['subscribers:read'] });
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'subscribers:read' });
    expect((await fetch(post(body, basic('a:b c', 'ü:% +')))).status).toBe(200);
    expect(await refusalOf(await fetch(post(body, basic('a:b c', 'wrong'))))).toBe('401 invalid_client');
  });

  test('is a JWT as RFC 9068 wants it', async () => {
    const { fetch, time } = await startService();
    const { access_token: token } = TokenAnswer.parse(await (await fetch(tokenRequest({}))).json());
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(decodeJwt(token)).toEqual({
      iss: issuer,
      aud: issuer,
      sub: credentials.id,
      client_id: credentials.id,
      scope: 'subscribers:read',
      iat: time.now / 1000,
      exp: time.now / 1000 + 3600,
      jti: expect.any(String),
    });
  });
});

describe('a token is refused', () => {
  test.each([
    ['no body', () => post(null)],
    ['an empty body', () => post('', { 'Content-Type': 'application/x-www-form-urlencoded' })],
    ['JSON', () => post('{"grant_type":"client_credentials"}', { 'Content-Type': 'application/json' })],
    ['a body of no type', () => post(new TextEncoder().encode('grant_type=client_credentials'))],
    ['a parameter that comes twice', () => post(new URLSearchParams('scope=a&scope=b'))],
    [
      'a form that is not UTF-8',
      () => post(new Uint8Array([97, 61, 255]), { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ],
  ])('with 404 invalid_request for %s', async (_, request) => {
    const { fetch } = await startService();
    expect(await refusalOf(await fetch(request()))).toBe('404 invalid_request');
  });

  test('with 404 invalid_request for credentials by both ways at once', async () => {
    const { fetch } = await startService();
    const request = tokenRequest({});
    request.headers.set('Authorization', `Basic ${btoa('desk:x')}`);
    expect(await refusalOf(await fetch(request))).toBe('404 invalid_request');
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a wrong secret', { client_secret: 'wrong' }],
    ['a secret that only begins like the right one', { client_secret: credentials.secret.slice(0, -1) }],
    ['no secret', { client_secret: null }],
    ['no client', { client_id: null }],
  ])('with 401 invalid_client for %s', async (_, fields) => {
    const { fetch } = await startService();
    expect(await refusalOf(await fetch(tokenRequest(fields)))).toBe('401 invalid_client');
  });

  test.each([['!'], [btoa('desk')], [btoa('%E0:x')], ['']])(
    'with 401 invalid_client for Basic credentials that cannot be read: "%s"',
    async (value) => {
      const { fetch } = await startService();
      const request = post(new URLSearchParams({ grant_type: 'client_credentials' }), {
        Authorization: `Basic ${value}`,
      });
      expect(await refusalOf(await fetch(request))).toBe('401 invalid_client');
    },
  );

  test.each([[null], ['password'], ['authorization_code'], ['Client_Credentials']])(
    'with 401 unsupported_grant_type for the grant type %s',
    async (type) => {
      const { fetch } = await startService();
      expect(await refusalOf(await fetch(tokenRequest({ grant_type: type })))).toBe(
        '401 unsupported_grant_type',
      );
    },
  );

  test.each([[null], ['subscribers:delete'], ['subscribers:read subscribers:write'], ['  ']])(
    'with 400 invalid_scope for a client that may only read and asks for: %s',
    async (scope) => {
      const { fetch, db } = await startService();
      await setApiClient(db, {
        id: credentials.id,
        secrets: [credentials.secret],
        scopes: ['subscribers:read'],
      });
      expect(await refusalOf(await fetch(tokenRequest({ scope })))).toBe('400 invalid_scope');
    },
  );

  test('with 413 for a body over the limit', async () => {
    const { fetch } = await startService();
    const response = await fetch(tokenRequest({ scope: 'x'.repeat(70_000) }));
    expect(await refusalOf(response)).toBe('413 invalid_request');
  });
});

describe('an API client', () => {
  test('of an id with control characters is never looked for', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: 'desk\x01', secrets: [credentials.secret], scopes: ['subscribers:read'] });
    expect(await refusalOf(await fetch(tokenRequest({ client_id: 'desk\x01' })))).toBe('401 invalid_client');
  });

  test('that is set again has the new secret and the new scopes only', async () => {
    const { fetch, db } = await startService();
    await setApiClient(db, { id: credentials.id, secrets: ['another'], scopes: ['subscribers:write'] });
    expect(await refusalOf(await fetch(tokenRequest({})))).toBe('401 invalid_client');
    expect(await refusalOf(await fetch(tokenRequest({ client_secret: 'another' })))).toBe(
      '400 invalid_scope',
    );
    const right = await fetch(tokenRequest({ client_secret: 'another', scope: 'subscribers:write' }));
    expect(right.status).toBe(200);
  });

  test('is kept without its secret', async () => {
    const { db } = await startService();
    const rows = await db.selectFrom('api_clients').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(credentials.secret);
    expect(rows).toHaveLength(1);
  });
});
