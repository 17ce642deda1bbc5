import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { api, type ServiceEndpoint } from '../../../src/contract/service/api.ts';
import { fillPath } from '../../../src/contract/http/endpoint.ts';
import { bodyLimit } from '../../../src/contract/http/router.ts';
import { TokenAnswer } from '../../../src/contract/service/token.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { tokenRequest } from '../../support/service/calls.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Begin } from './subject.ts';

async function refusalOf(response: Response): Promise<string> {
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Content-Type')).toContain('application/json');
  expect(response.headers.has('WWW-Authenticate')).toBe(response.status === 401);
  const { error, error_description: description } = (await response.json()) as Record<string, string>;
  // RFC 6749 §5.2: what a description may be written in.
  expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  return `${response.status} ${error}`;
}

function basic(id: string, secret: string): string {
  const pair = [id, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':');
  return `Basic ${btoa(pair)}`;
}

/** Both ways of client authentication, and what a token then opens. */
export function tokens(begin: Begin): void {
  it('answers client credentials in the form with a token for an hour, uncached', async () => {
    const caller = await begin();
    const scope = 'subscribers:write subscribers:read';
    const response = await caller.fetch(tokenRequest(caller, { scope }));
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'subscribers:read subscribers:write',
    });
  });

  it('takes client credentials by HTTP Basic, but not by both ways at once', async () => {
    const caller = await begin();
    const { id, secret } = caller.credentials;
    const ask = (
      authorization: string,
      form: Record<string, null> = { client_id: null, client_secret: null },
    ) => {
      const request = tokenRequest(caller, form);
      request.headers.set('Authorization', authorization);
      return caller.fetch(request);
    };
    expect((await ask(basic(id, secret))).status).toBe(200);
    const unreadable = ['!', btoa('client'), btoa('%E0:x'), ''].map((value) => `Basic ${value}`);
    await expectOutcomes(
      { '401 invalid_client': [basic(id, 'wrong'), ...unreadable] },
      async (authorization) => refusalOf(await ask(authorization)),
    );
    expect(await refusalOf(await ask(basic(id, secret), {}))).toBe('404 invalid_request');
  });

  it('signs a JWT for one hour, as RFC 9068 wants it', async () => {
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

  it('refuses fields that are missing or wrong with the errors of RFC 6749', async () => {
    const caller = await begin();
    const { secret } = caller.credentials;
    await expectOutcomes<Record<string, string | null>>(
      {
        '401 invalid_client': [
          { client_id: 'nobody-of-this-name' },
          { client_secret: 'wrong' },
          { client_secret: secret.slice(0, -1) },
          { client_secret: null },
          { client_id: null },
        ],
        '401 unsupported_grant_type': [
          { grant_type: null },
          { grant_type: 'password' },
          { grant_type: 'authorization_code' },
          { grant_type: 'Client_Credentials' },
        ],
        '400 invalid_scope': [
          { scope: null },
          { scope: 'subscribers:delete' },
          { scope: 'subscribers:read subscribers:delete' },
          { scope: '  ' },
        ],
        '413 invalid_request': [{ scope: 'x'.repeat(bodyLimit) }],
      },
      async (fields) => refusalOf(await caller.fetch(tokenRequest(caller, fields))),
    );
  });

  it('refuses what is no form', async () => {
    const { base, fetch } = await begin();
    const form = 'application/x-www-form-urlencoded';
    await expectOutcomes<[body: BodyInit | null, type?: string]>(
      {
        '404 invalid_request': [
          [null],
          ['', form],
          ['{"grant_type":"client_credentials"}', 'application/json'],
          // Bytes have no type of their own.
          [new TextEncoder().encode('grant_type=client_credentials')],
          ['scope=a&scope=b', form],
          // Not UTF-8.
          [new Uint8Array([97, 61, 255]), form],
        ],
      },
      async ([body, type]) => {
        const headers = type === undefined ? {} : { 'Content-Type': type };
        return refusalOf(await fetch(new Request(`${base}/oauth/token`, { method: 'POST', body, headers })));
      },
    );
  });

  it('issues tokens that open the operations of their scope alone, before input is read', async () => {
    const { send, token } = await begin();
    const tokens = {
      'subscribers:read': await token('subscribers:read'),
      'subscribers:write': await token('subscribers:write'),
    };
    const operations = Object.values<ServiceEndpoint>(api).flatMap((row) =>
      row.access === 'public' ? [] : { ...row, access: row.access },
    );
    for (const { method, path, access } of operations) {
      const at = fillPath(path, { id: 'no-number', accessToken: 'x' });
      const answerTo = async (token: string | null) => {
        const response = await send(method, at, { token });
        const challenge = response.headers.get('WWW-Authenticate');
        return challenge ? [(await problemOf(response)).problem, challenge] : [response.status];
      };
      const realm = 'Bearer realm="subscribers"';
      const other = access === 'subscribers:read' ? 'subscribers:write' : 'subscribers:read';
      const operation = `${method} ${path}`;
      expect(await answerTo(null), operation).toEqual(['401 invalid-token', realm]);
      for (const none of ['x', 'a.b.c', '..']) {
        const expected = ['401 invalid-token', `${realm}, error="invalid_token"`];
        expect(await answerTo(none), `${operation} with ${none}`).toEqual(expected);
      }
      const insufficient = `${realm}, error="insufficient_scope", scope="${access}"`;
      expect(await answerTo(tokens[other]), operation).toEqual(['403 insufficient-scope', insufficient]);
      expect([[200], [404], [415], [422]], operation).toContainEqual(await answerTo(tokens[access]));
    }
    const headers = { Authorization: `bEARER ${tokens['subscribers:read']}` };
    expect((await send('GET', '/subscribers', { token: null, headers })).status).toBe(200);
  });
}
