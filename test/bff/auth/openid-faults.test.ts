import { describe, expect, test } from 'vitest';
import { createProvider, providerLimits } from '../../../src/bff/auth/openid-provider.ts';
import { publicUrl } from '../../support/bff/desk.ts';
import { openIdClient } from '../../support/bff/openid-provider.ts';
import { statusOfSignIn } from '../../support/bff/person.ts';
import { arrive, openSingleSignOn, problemAt, travel } from '../../support/bff/single-sign-on.ts';

const discovery = '/.well-known/openid-configuration';
const refused = () => Promise.reject(Object.assign(new Error('canary-words'), { code: 'ECONNREFUSED' }));
const late = () => Promise.reject(new DOMException('canary-words', 'TimeoutError'));

describe('a provider', () => {
  test('is not asked for anything before somebody wants to sign in there', async () => {
    const desk = await openSingleSignOn();
    expect(await statusOfSignIn(desk, 'viewer')).toBe(200);
    expect(desk.asked).toEqual([]);
  });

  test.each<[string, () => Promise<Response>, string]>([
    ['does not answer', refused, 'unavailable'],
    ['takes too long', late, 'unavailable'],
    ['answers an error page', async () => new Response('canary-words', { status: 500 }), 'unavailable'],
    ['answers something else', async () => new Response('<h1>canary-words'), 'unavailable'],
    ['sends elsewhere', async () => Response.redirect('https://evil.example'), 'unavailable'],
    ['is another one', async () => Response.json({ issuer: 'https://evil.example' }), 'misconfigured'],
  ])('that %s when it is looked for is said to, and looked for again', async (_, answer, problem) => {
    const desk = await openSingleSignOn();
    desk.fault.intercept = answer;
    const there = await desk.traveller.go('/bff/oidc/start?to=%2Fsubscribers%2F7');
    expect(there.url.href).toBe(`${publicUrl}/sign-in?problem=${problem}&from=%2Fsubscribers%2F7`);
    expect(await statusOfSignIn(desk, 'viewer')).toBe(200);
    desk.fault.intercept = (_request, goOn) => goOn();
    expect((await travel(desk.traveller)).pathname).toBe('/subscribers');
  });

  test.each<[string, string, () => Promise<Response>, string]>([
    ['at the token endpoint', '/token', refused, 'unavailable'],
    ['in the middle of it', '/token', async () => new Response('{"access', { status: 200 }), 'unavailable'],
    [
      'with an error of its own',
      '/token',
      async () => new Response('canary-words', { status: 503 }),
      'unavailable',
    ],
    ['with its keys', '/jwks', refused, 'unavailable'],
    ['with what it knows of somebody', '/me', late, 'unavailable'],
    ['with somebody else', '/me', async () => Response.json({ sub: 'x', roles: 'manager' }), 'misconfigured'],
  ])('that fails %s signs nobody in', async (_, path, answer, problem) => {
    const desk = await openSingleSignOn();
    desk.fault.intercept = (request, goOn) => (new URL(request.url).pathname === path ? answer() : goOn());
    expect(problemAt(await travel(desk.traveller))).toBe(problem);
    expect(await desk.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect(await desk.accounts()).toEqual([]);
  });

  test('that is silent is given up after a while', async () => {
    const { deps, singleSignOn } = await openSingleSignOn();
    const silent = { ...singleSignOn, fetch: () => new Promise<never>(() => undefined) };
    const provider = createProvider({ ...deps, singleSignOn: silent }, { ...providerLimits, total: 20 });
    await expect(provider.signOutUrl(publicUrl)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('that stands for all tenants of a cloud is refused: strangers would name their own roles', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const { deps, singleSignOn } = await openSingleSignOn();
    const fetch = async () => Response.json({ issuer: issuer.replace('common', '{tenantid}') });
    const provider = createProvider({ ...deps, singleSignOn: { ...singleSignOn, issuer, fetch } });
    await expect(provider.signOutUrl(publicUrl)).rejects.toMatchObject({
      code: 'misconfigured',
      reason: 'other-issuer',
    });
  });

  test('that does not know the desk’s secret is said to be set up differently', async () => {
    const desk = await openSingleSignOn({ clientSecret: 'canary-wrong-secret' });
    expect(problemAt(await travel(desk.traveller))).toBe('misconfigured');
  });

  test('is looked for once by all who come at the same moment, and believed for an hour', async () => {
    const desk = await openSingleSignOn();
    const starts = () =>
      Promise.all(
        [1, 2, 3].map(() => desk.traveller.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl)),
      );
    await starts();
    await starts();
    expect(desk.asked).toEqual([discovery]);
    desk.time.now += providerLimits.metadata;
    await starts();
    expect(desk.asked).toEqual([discovery, discovery]);
    desk.time.now += providerLimits.metadata;
    desk.fault.intercept = refused;
    expect(
      (await desk.traveller.go('/bff/oidc/start', ({ origin }) => origin !== publicUrl)).url.origin,
    ).toBe(desk.provider.issuer);
  });

  test('that takes the secret in the form alone gets it there', async () => {
    const desk = await openSingleSignOn();
    const bodies: string[] = [];
    desk.fault.intercept = async (request, goOn) => {
      if (request.url.endsWith('/token')) bodies.push(await request.clone().text());
      const answer = await goOn();
      if (!request.url.endsWith(discovery)) return answer;
      const told: object = await answer.json();
      return Response.json({ ...told, token_endpoint_auth_methods_supported: ['client_secret_post'] });
    };
    await travel(desk.traveller);
    expect(new URLSearchParams(bodies[0]).get('client_secret')).toBe(openIdClient.secret);
  });
});

describe('signing out', () => {
  test('ends the session here, and says where it ends at the provider', async () => {
    const desk = await openSingleSignOn();
    await travel(desk.traveller);
    const answer = await desk.traveller.ask('DELETE', '/bff/session');
    const { goOnTo }: { goOnTo: string } = await answer.json();
    const there = new URL(goOnTo);
    expect(there.origin).toBe(desk.provider.issuer);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      client_id: openIdClient.id,
      post_logout_redirect_uri: `${publicUrl}/sign-in`,
    });
    expect((await desk.traveller.ask('GET', '/bff/session')).status).toBe(401);
    expect((await desk.traveller.go(goOnTo)).answer?.status).toBe(200);
  });

  test.each<[string, (desk: Awaited<ReturnType<typeof openSingleSignOn>>) => void]>([
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
  ])('is done here where %s', async (name, change) => {
    const desk = await openSingleSignOn();
    await travel(desk.traveller);
    change(desk);
    // A replica that has not looked for the provider yet.
    desk.traveller.use(desk.openReplica().fetch);
    expect((await desk.traveller.ask('DELETE', '/bff/session')).status, name).toBe(204);
    expect((await desk.traveller.ask('GET', '/bff/session')).status).toBe(401);
  });

  test('leads nowhere else for somebody with a password', async () => {
    const desk = await openSingleSignOn();
    await travel(desk.traveller);
    await desk.db.updateTable('staff').set({ issuer: null }).where('subject', '=', 'sub-1').execute();
    expect((await desk.traveller.ask('DELETE', '/bff/session')).status).toBe(204);
  });
});

test('nothing of the provider and of who comes from there is logged, or stands in an address of the desk', async () => {
  const desk = await openSingleSignOn({ claimsInIdToken: true });
  const tokens: string[] = [];
  desk.fault.intercept = async (request, goOn) => {
    const answer = await goOn();
    if (request.url.endsWith('/token')) {
      const told: Record<string, unknown> = await answer.clone().json();
      tokens.push(...['id_token', 'access_token'].map((name) => String(told[name])));
    }
    return answer;
  };
  const { url } = await arrive(desk.traveller);
  const handed = [url.searchParams.get('code') ?? '', url.searchParams.get('state') ?? ''];
  const { url: end } = await desk.traveller.go(url.href, undefined, 'cross-site');
  const signedOut = await (await desk.traveller.ask('DELETE', '/bff/session')).text();
  desk.fault.intercept = refused;
  await travel(desk.traveller).catch(() => undefined);
  desk.fault.intercept = (_, goOn) => goOn();
  await desk.traveller.go(`/bff/oidc/callback?error=canary-error&error_description=canary-words`);
  const again = await arrive(desk.traveller);
  again.url.searchParams.set('error', 'canary-error');
  await desk.traveller.go(again.url.href);
  expect([...tokens, ...handed].filter((secret) => secret.length > 20)).toHaveLength(4);
  const logged = JSON.stringify(desk.logs);
  for (const secret of [...tokens, ...handed, openIdClient.secret, 'canary', 'sub-1'])
    expect(logged, secret).not.toContain(secret);
  for (const secret of [...tokens, openIdClient.secret])
    expect(desk.traveller.visited.join('\n') + end.href + signedOut).not.toContain(secret);
  expect(logged).toContain('"code":"misconfigured","reason":"answered-other"');
});
