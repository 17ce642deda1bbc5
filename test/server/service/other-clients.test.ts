import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { afterAll, expect, test } from 'vitest';
import { keepRunning } from '../../support/server/start-process.ts';
import { bearer, serviceAddress, serviceCommand } from '../../support/server/service-process.ts';

/** What no URL, header or form takes as it is, apart from what the configuration itself separates by. */
const secret = 'a+secret/with%odd&signs=and~32_characters';

const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
const { options, env } = serviceCommand(join(folder, 'data'), {
  SERVICE_CLIENTS: `crm:${secret}:subscribers:read`,
  SAMPLE_SUBSCRIBERS: '5',
});
const service = keepRunning(options, env);
const started = serviceAddress(service);

afterAll(async () => {
  service.signal('SIGTERM');
  await service.ended;
  rmSync(folder, { recursive: true });
});

async function countWith(url: string, token: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/subscribers`, { headers: bearer(String(token)) });
  const { totalCount } = (await answer.json()) as { totalCount?: number };
  return totalCount;
}

test.each([
  ['HTTP Basic', oauth.ClientSecretBasic],
  ['the form', oauth.ClientSecretPost],
])('oauth4webapi gets a token by %s and calls with it', async (_, authenticate) => {
  const url = await started;
  const server = { issuer: url, token_endpoint: `${url}/oauth/token` };
  const client = { client_id: 'crm' };
  const ask = (key: string, scope: string) =>
    oauth.clientCredentialsGrantRequest(server, client, authenticate(key), new URLSearchParams({ scope }), {
      [oauth.allowInsecureRequests]: true,
    });
  const granted = await ask(secret, 'subscribers:read');
  const answer = await oauth.processClientCredentialsResponse(server, client, granted);
  expect(await countWith(url, answer.access_token)).toBe(5);
  for (const [key, scope, error] of [
    ['wrong', 'subscribers:read', 'invalid_client'],
    [secret, 'subscribers:write', 'invalid_scope'],
  ] as const) {
    const refused = oauth.processClientCredentialsResponse(server, client, await ask(key, scope));
    // A 401 it reports by its challenge, any other refusal by the code of its body.
    await expect(refused).rejects.toMatchObject(
      error === 'invalid_client'
        ? { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 }
        : { code: 'OAUTH_RESPONSE_BODY_ERROR', error },
    );
  }
});

test.each(['header', 'body'] as const)(
  'simple-oauth2 gets a token by the %s and calls with it',
  async (authorizationMethod) => {
    const url = await started;
    const client = (key: string) =>
      new ClientCredentials({
        client: { id: 'crm', secret: key },
        auth: { tokenHost: url, tokenPath: '/oauth/token' },
        options: { authorizationMethod },
      });
    const { token } = await client(secret).getToken({ scope: 'subscribers:read' });
    expect(await countWith(url, token['access_token'])).toBe(5);
    await expect(client('wrong').getToken({ scope: 'subscribers:read' })).rejects.toMatchObject({
      output: { statusCode: 401 },
    });
  },
);

test.each([
  ['HTTP Basic', openid.ClientSecretBasic],
  ['the form', openid.ClientSecretPost],
])('openid-client gets a token by %s and calls with it', async (_, authenticate) => {
  const url = await started;
  const server = { issuer: url, token_endpoint: `${url}/oauth/token` };
  const configure = (key: string) => {
    const config = new openid.Configuration(server, 'crm', key, authenticate(key));
    openid.allowInsecureRequests(config);
    return config;
  };
  const scope = 'subscribers:read';
  const granted = await openid.clientCredentialsGrant(configure(secret), { scope });
  expect([granted.token_type, granted.scope, granted.expires_in]).toEqual(['bearer', scope, 3600]);
  expect(await countWith(url, granted.access_token)).toBe(5);
  const refused = openid.clientCredentialsGrant(configure('wrong'), { scope });
  await expect(refused).rejects.toMatchObject({ status: 401 });
  const tooMuch = openid.clientCredentialsGrant(configure(secret), { scope: 'subscribers:write' });
  await expect(tooMuch).rejects.toMatchObject({ error: 'invalid_scope' });
});
