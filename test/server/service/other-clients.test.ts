import * as oauth from 'oauth4webapi';
import { ClientCredentials } from 'simple-oauth2';
import { beforeAll, expect, test } from 'vitest';
import { openService } from '../../support/server/in-process.ts';
import { bearer } from '../../support/server/server-process.ts';

/** Characters that no URL, header or form takes as they are, apart from separators of the configuration itself. */
const secret = 'a+secret/with%odd&signs=and~32_characters';
const scope = 'subscribers:read';

const opened = openService({ SERVICE_CLIENTS: `crm:${secret}:${scope}`, SAMPLE_SUBSCRIBERS: '5' });
let url: string;
let server: { issuer: string; token_endpoint: string };
beforeAll(async () => {
  ({ url } = await opened);
  server = { issuer: url, token_endpoint: `${url}/oauth/token` };
});

async function countWith(token: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/subscribers`, { headers: bearer(String(token)) });
  const { totalCount } = (await answer.json()) as { totalCount?: number };
  return totalCount;
}

test.each([
  ['HTTP Basic', oauth.ClientSecretBasic],
  ['the form', oauth.ClientSecretPost],
])('oauth4webapi gets a token by %s and calls with it', async (_, authenticate) => {
  const client = { client_id: 'crm' };
  const ask = async (key: string, requested: string) => {
    const options = { [oauth.allowInsecureRequests]: true };
    const fields = new URLSearchParams({ scope: requested });
    const answer = oauth.clientCredentialsGrantRequest(server, client, authenticate(key), fields, options);
    return oauth.processClientCredentialsResponse(server, client, await answer);
  };
  expect(await countWith((await ask(secret, scope)).access_token)).toBe(5);
  // A 401 it reports by its challenge, any other refusal by the code of its body.
  await expect(ask('wrong', scope)).rejects.toMatchObject({
    code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
    status: 401,
  });
  await expect(ask(secret, 'subscribers:write')).rejects.toMatchObject({
    code: 'OAUTH_RESPONSE_BODY_ERROR',
    error: 'invalid_scope',
  });
});

test.each(['header', 'body'] as const)(
  'simple-oauth2 gets a token by the %s and calls with it',
  async (authorizationMethod) => {
    const ask = (key: string) =>
      new ClientCredentials({
        client: { id: 'crm', secret: key },
        auth: { tokenHost: url, tokenPath: '/oauth/token' },
        options: { authorizationMethod },
      }).getToken({ scope });
    expect(await countWith((await ask(secret)).token['access_token'])).toBe(5);
    await expect(ask('wrong')).rejects.toMatchObject({ output: { statusCode: 401 } });
  },
);
