import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';
// @ts-expect-error The types leave it out.
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { listenOnFreePort } from '../server/free-port.ts';

export const openIdClient = { id: 'subscriber-desk', secret: 'canary-openid-secret' };

interface Options {
  /** Our public address; may become known only after the provider has started. */
  publicUrl: string | Promise<string>;
  claimsInIdToken?: boolean;
  /** Takes what the provider sends to our server by itself: back-channel logout. Without it, there is none. */
  backChannel?: (request: Request) => Promise<Response>;
  /** True if there are refresh tokens; each is good for one use. */
  refreshTokens?: boolean;
  /** Another spelling of the loopback address makes it another site than ours. */
  host?: '127.0.0.1' | 'localhost';
}

/**
 * A real OpenID provider on loopback, whose login page asks for nothing but the name. A test sets the
 * users and their claims; the claims come from the userinfo endpoint only, unless it says otherwise.
 */
export async function openProvider(options: Options) {
  const people: People = {};
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => void answer(request, response));
  const issuer = `http://${options.host ?? '127.0.0.1'}:${await listenOnFreePort(server)}`;
  const refreshTokens: { destroy: () => Promise<void> }[] = [];
  const built = Promise.resolve(options.publicUrl).then((publicUrl) => {
    const configuration = configure({ ...options, publicUrl }, people);
    return new Provider(issuer, { ...configuration, jwks: { keys: [key] } }).on(
      'refresh_token.saved',
      (token) => void refreshTokens.push(token),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = await built;
    const url = new URL(request.url ?? '/', issuer);
    if (!url.pathname.startsWith('/interaction/')) return provider.callback()(request, response);
    const [accountId, cancelled] = [url.searchParams.get('login'), url.searchParams.has('cancel')];
    if (accountId === null && !cancelled) return showPeople(response, Object.keys(people));
    const result = cancelled ? { error: 'access_denied' } : { login: { accountId: accountId ?? '' } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  return {
    issuer,
    people,
    /** An ID token that this provider could have signed, or another token of it. */
    sign: (claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(privateKey),
    /** Forgets its refresh tokens, as when an administrator ends a session there. */
    forgetRefreshTokens: () => Promise.all(refreshTokens.map((token) => token.destroy())),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type People = Record<string, Record<string, unknown>>;

function configure(options: Options & { publicUrl: string }, people: People): Configuration {
  const { publicUrl, claimsInIdToken = false, backChannel, refreshTokens = false } = options;
  return {
    adapter: createMemoryAdapter(),
    conformIdTokenClaims: !claimsInIdToken,
    clients: [
      {
        client_id: openIdClient.id,
        client_secret: openIdClient.secret,
        redirect_uris: [`${publicUrl}/bff/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
        id_token_signed_response_alg: 'ES256',
        grant_types: ['authorization_code', ...(refreshTokens ? ['refresh_token'] : [])],
        ...(backChannel && {
          backchannel_logout_uri: `${publicUrl}/bff/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'roles', 'realm_access'],
      email: ['email'],
    },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) =>
      people[id] ? { accountId: id, claims: () => ({ sub: id, ...people[id] }) } : undefined,
    // Staff are not asked for consent.
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const grant = new provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: backChannel !== undefined },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = `${head}${form}<button form="op.logoutForm" name="logout" value="yes">Sign out here</button>`;
        },
      },
    },
    issueRefreshToken: () => refreshTokens,
    rotateRefreshToken: true,
    ...(backChannel && {
      // Without its dispatcher, which reaches no loopback address.
      fetch: async (url, { headers = {}, body = null } = {}) =>
        backChannel(new Request(url, { method: 'POST', headers, body })),
    }),
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 600,
    },
    renderError: (ctx, { error }) => void (ctx.body = error),
  };
}

const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Provider</title>';

function showPeople(response: ServerResponse, names: readonly string[]): void {
  const links = names.map((name) => `<p><a href="?login=${name}">Sign in as ${name}</a>`).join('');
  response.setHeader('Content-Type', 'text/html');
  response.end(`${head}${links}<p><a href="?cancel">Cancel</a>`);
}
