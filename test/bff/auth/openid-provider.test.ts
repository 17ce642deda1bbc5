import { describe, expect, test } from 'vitest';
import { createProvider, providerLimits } from '../../../src/bff/auth/openid-provider.ts';
import { publicUrl } from '../../support/bff/browser.ts';
import { statusOfSignIn } from '../../support/bff/person.ts';
import { openIdClient } from '../../support/bff/openid-provider.ts';
import {
  goToCallback,
  openSingleSignOn,
  problemAt,
  signInByProvider,
} from '../../support/bff/single-sign-on.ts';

const discovery = '/.well-known/openid-configuration';
const refused = () => Promise.reject(Object.assign(new Error('canary-words'), { code: 'ECONNREFUSED' }));
const timeOut = () => Promise.reject(new DOMException('canary-words', 'TimeoutError'));

describe('a provider', () => {
  test('gets no request before somebody signs in there', async () => {
    const bff = await openSingleSignOn();
    expect(await statusOfSignIn(bff, 'viewer')).toBe(200);
    expect(bff.asked).toEqual([]);
  });

  test.each<[string, () => Promise<Response>, string]>([
    ['does not answer', refused, 'unavailable'],
    ['takes too long', timeOut, 'unavailable'],
    ['answers an error page', async () => new Response('canary-words', { status: 500 }), 'unavailable'],
    ['answers something else', async () => new Response('<h1>canary-words'), 'unavailable'],
    ['redirects', async () => Response.redirect('https://evil.example'), 'unavailable'],
    ['is another one', async () => Response.json({ issuer: 'https://evil.example' }), 'misconfigured'],
  ])(
    'that %s when its metadata is fetched is reported, and asked again next time',
    async (_, answer, problem) => {
      const bff = await openSingleSignOn();
      bff.fault.intercept = answer;
      const there = await bff.browser.go('/bff/oidc/start?to=%2Fsubscribers%2F7');
      expect(there.url.href).toBe(`${publicUrl}/sign-in?problem=${problem}&from=%2Fsubscribers%2F7`);
      expect(await statusOfSignIn(bff, 'viewer')).toBe(200);
      bff.fault.intercept = (_request, goOn) => goOn();
      expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
    },
  );

  test.each<[string, string, () => Promise<Response>, string]>([
    ['at the token endpoint', '/token', refused, 'unavailable'],
    [
      'in the middle of its answer',
      '/token',
      async () => new Response('{"access', { status: 200 }),
      'unavailable',
    ],
    [
      'with an error of its own',
      '/token',
      async () => new Response('canary-words', { status: 503 }),
      'unavailable',
    ],
    ['with its keys', '/jwks', refused, 'unavailable'],
    ['at the user info', '/me', timeOut, 'unavailable'],
    [
      'with the user info of another user',
      '/me',
      async () => Response.json({ sub: 'x', roles: 'manager' }),
      'misconfigured',
    ],
  ])('that fails %s signs nobody in', async (_, path, answer, problem) => {
    const bff = await openSingleSignOn();
    bff.fault.intercept = (request, goOn) => (new URL(request.url).pathname === path ? answer() : goOn());
    expect(problemAt(await signInByProvider(bff.browser))).toBe(problem);
    expect(await bff.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect(await bff.accounts()).toEqual([]);
  });

  test('that never answers is given up', async () => {
    const { deps, singleSignOn } = await openSingleSignOn();
    const silent = { ...singleSignOn, fetch: () => new Promise<never>(() => undefined) };
    const provider = createProvider({ ...deps, singleSignOn: silent }, { ...providerLimits, total: 20 });
    await expect(provider.signOutUrl(publicUrl)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('that is shared by all tenants of a cloud is refused: strangers would name their own roles', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const { deps, singleSignOn } = await openSingleSignOn();
    const fetch = async () => Response.json({ issuer: issuer.replace('common', '{tenantid}') });
    const provider = createProvider({ ...deps, singleSignOn: { ...singleSignOn, issuer, fetch } });
    await expect(provider.signOutUrl(publicUrl)).rejects.toMatchObject({
      code: 'misconfigured',
      reason: 'other-issuer',
    });
  });

  test('that does not accept our secret is reported as misconfigured', async () => {
    const bff = await openSingleSignOn({ clientSecret: 'canary-wrong-secret' });
    expect(problemAt(await signInByProvider(bff.browser))).toBe('misconfigured');
  });

  test('is asked for its metadata once by all who come at the same time, and again after an hour', async () => {
    const bff = await openSingleSignOn();
    const starts = () =>
      Promise.all(
        [1, 2, 3].map(() => bff.browser.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl)),
      );
    await starts();
    await starts();
    expect(bff.asked).toEqual([discovery]);
    bff.time.now += providerLimits.metadata;
    await starts();
    expect(bff.asked).toEqual([discovery, discovery]);
    bff.time.now += providerLimits.metadata;
    bff.fault.intercept = refused;
    expect((await bff.browser.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl)).url.origin).toBe(
      bff.provider.issuer,
    );
  });

  test('that accepts the secret only in the form gets it there', async () => {
    const bff = await openSingleSignOn();
    const bodies: string[] = [];
    bff.fault.intercept = async (request, goOn) => {
      if (request.url.endsWith('/token')) bodies.push(await request.clone().text());
      const answer = await goOn();
      if (!request.url.endsWith(discovery)) return answer;
      const told: object = await answer.json();
      return Response.json({ ...told, token_endpoint_auth_methods_supported: ['client_secret_post'] });
    };
    await signInByProvider(bff.browser);
    expect(new URLSearchParams(bodies[0]).get('client_secret')).toBe(openIdClient.secret);
  });
});

describe('signing out', () => {
  test('ends the session, and names the page that ends it at the provider', async () => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    const answer = await bff.browser.ask('DELETE', '/bff/session');
    const { goOnTo }: { goOnTo: string } = await answer.json();
    const there = new URL(goOnTo);
    expect(there.origin).toBe(bff.provider.issuer);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      client_id: openIdClient.id,
      post_logout_redirect_uri: `${publicUrl}/sign-in`,
    });
    expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(401);
    expect((await bff.browser.go(goOnTo)).answer?.status).toBe(200);
  });

  test.each<[string, (bff: Awaited<ReturnType<typeof openSingleSignOn>>) => void]>([
    [
      'the provider is down',
      ({ fault }) => {
        fault.intercept = refused;
      },
    ],
    [
      'the provider has no such page',
      ({ fault }) => {
        fault.intercept = async (_request, goOn) => {
          const { end_session_endpoint: _, ...rest } = await (await goOn()).json();
          return Response.json(rest);
        };
      },
    ],
  ])('works where %s', async (name, change) => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    change(bff);
    // A replica that has not fetched the metadata yet.
    bff.browser.use(bff.openReplica().fetch);
    expect((await bff.browser.ask('DELETE', '/bff/session')).status, name).toBe(204);
    expect((await bff.browser.ask('GET', '/bff/session')).status).toBe(401);
  });

  test('leads to no other page for a user with a password', async () => {
    const bff = await openSingleSignOn();
    await signInByProvider(bff.browser);
    await bff.db.updateTable('staff').set({ issuer: null }).where('subject', '=', 'sub-1').execute();
    expect((await bff.browser.ask('DELETE', '/bff/session')).status).toBe(204);
  });
});

test('no secret of the provider and no data of its users is logged, or is in an address', async () => {
  const bff = await openSingleSignOn({ claimsInIdToken: true });
  const tokens: string[] = [];
  bff.fault.intercept = async (request, goOn) => {
    const answer = await goOn();
    if (request.url.endsWith('/token')) {
      const told: Record<string, unknown> = await answer.clone().json();
      tokens.push(...['id_token', 'access_token'].map((name) => String(told[name])));
    }
    return answer;
  };
  const { url } = await goToCallback(bff.browser);
  const handed = [url.searchParams.get('code') ?? '', url.searchParams.get('state') ?? ''];
  const { url: end } = await bff.browser.go(url.href, undefined, 'cross-site');
  const signedOut = await (await bff.browser.ask('DELETE', '/bff/session')).text();
  bff.fault.intercept = refused;
  await signInByProvider(bff.browser).catch(() => undefined);
  bff.fault.intercept = (_, goOn) => goOn();
  await bff.browser.go(`/bff/oidc/callback?error=canary-error&error_description=canary-words`);
  const again = await goToCallback(bff.browser);
  again.url.searchParams.set('error', 'canary-error');
  await bff.browser.go(again.url.href);
  expect([...tokens, ...handed].filter((secret) => secret.length > 20)).toHaveLength(4);
  const logged = JSON.stringify(bff.logs);
  for (const secret of [...tokens, ...handed, openIdClient.secret, 'canary', 'sub-1'])
    expect(logged, secret).not.toContain(secret);
  for (const secret of [...tokens, openIdClient.secret])
    expect(bff.browser.visited.join('\n') + end.href + signedOut).not.toContain(secret);
  expect(logged).toContain('"code":"misconfigured","reason":"answered-other"');
});
