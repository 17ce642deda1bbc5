import { beforeEach, describe, expect, it, test } from 'vitest';
import { createProvider, providerLimits } from '../../../../src/bff/auth/openid/provider.ts';
import { publicUrl } from '../../../support/bff/browser.ts';
import { isIn, statusOfSignIn } from '../../../support/bff/person.ts';
import { openIdClient } from '../../../support/bff/openid-provider.ts';
import {
  goToCallback,
  goToProvider,
  openBrowser,
  openSingleSignOn,
  problemAt,
  refuseConnection,
  signInByProvider,
  type SingleSignOnBff,
} from '../../../support/bff/single-sign-on.ts';

const discovery = '/.well-known/openid-configuration';
const timeOut = () => Promise.reject(new DOMException('canary-words', 'TimeoutError'));
const unavailable = async () => new Response('canary-words', { status: 503 });

let bff: SingleSignOnBff;
beforeEach(async () => {
  bff = await openSingleSignOn();
});

describe('a provider', () => {
  it('gets no request before somebody signs in there', async () => {
    expect(await statusOfSignIn(bff, 'viewer')).toBe(200);
    expect(bff.requested).toEqual([]);
  });

  it('is reported where it fails when its metadata is fetched, and asked again next time', async () => {
    const failures: [problem: string, answer: () => Promise<Response>][] = [
      ['unavailable', refuseConnection],
      ['unavailable', timeOut],
      ['unavailable', unavailable],
      ['unavailable', async () => new Response('<h1>canary-words')],
      ['unavailable', async () => Response.redirect('https://evil.example')],
      ['misconfigured', async () => Response.json({ issuer: 'https://evil.example' })],
    ];
    for (const [problem, answer] of failures) {
      bff.fault.intercept = answer;
      const { url } = await bff.browser.go('/bff/oidc/start?to=%2Fsubscribers%2F7');
      expect(url.href).toBe(`${publicUrl}/sign-in?problem=${problem}&from=%2Fsubscribers%2F7`);
    }
    expect(await statusOfSignIn(bff, 'viewer')).toBe(200);
    bff.fault.intercept = (_, goOn) => goOn();
    expect((await signInByProvider(bff.browser)).pathname).toBe('/subscribers');
  });

  it('signs nobody in where it fails later', async () => {
    const failures: [problem: string, path: string, answer: () => Promise<Response>][] = [
      ['unavailable', '/token', refuseConnection],
      ['unavailable', '/token', async () => new Response('{"access', { status: 200 })],
      ['unavailable', '/token', unavailable],
      ['unavailable', '/jwks', refuseConnection],
      ['unavailable', '/me', timeOut],
      // That is another user.
      ['misconfigured', '/me', async () => Response.json({ sub: 'x', roles: 'manager' })],
    ];
    for (const [problem, path, answer] of failures) {
      const browser = openBrowser(bff.openReplica().fetch);
      bff.fault.intercept = (request, goOn) => (new URL(request.url).pathname === path ? answer() : goOn());
      expect(problemAt(await signInByProvider(browser)), path).toBe(problem);
    }
    expect([await bff.rows('sessions'), await bff.accounts()]).toEqual([[], []]);
  });

  it('is given up where it never answers', async () => {
    const silent = { ...bff.singleSignOn, fetch: () => new Promise<never>(() => undefined) };
    const provider = createProvider({ ...bff.deps, singleSignOn: silent }, { ...providerLimits, total: 20 });
    await expect(provider.signOutUrl(publicUrl)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is known as it was while it no longer answers for its metadata, and is asked for them once a minute', async () => {
    const requested: string[] = [];
    let hangs = false;
    const fetch = async (request: Request) => {
      requested.push(new URL(request.url).pathname);
      if (!hangs) return bff.singleSignOn.fetch(request);
      return new Promise<never>((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      );
    };
    const limits = { ...providerLimits };
    const silent = { ...bff.deps, singleSignOn: { ...bff.singleSignOn, fetch } };
    const provider = createProvider(silent, limits);
    const known = await provider.signOutUrl(publicUrl);
    hangs = true;
    limits.fetch = 20;
    bff.time.now += limits.metadata;
    const ends = [await provider.signOutUrl(publicUrl), await provider.signOutUrl(publicUrl)];
    expect([ends, requested]).toEqual([
      [known, known],
      [discovery, discovery],
    ]);
    bff.time.now += limits.retry;
    await provider.signOutUrl(publicUrl);
    expect(requested).toHaveLength(3);
  });

  it('gets no refresh token, which may be good for one use, after nobody waits any more', async () => {
    const metadata = Promise.withResolvers<void>();
    const requested: string[] = [];
    const fetch = async (request: Request) => {
      requested.push(new URL(request.url).pathname);
      await metadata.promise;
      return bff.singleSignOn.fetch(request);
    };
    const slow = { ...bff.deps, singleSignOn: { ...bff.singleSignOn, fetch } };
    const limits = { ...providerLimits, total: 20 };
    const provider = createProvider(slow, limits);
    await expect(provider.refresh('canary')).rejects.toMatchObject({ code: 'unavailable' });
    metadata.resolve();
    limits.total = providerLimits.total;
    await expect.poll(() => provider.keys().catch(() => null)).not.toBeNull();
    expect(requested).toEqual([discovery]);
  });

  it('is refused if its keys come over http: who changes them on the way could sign for it', async () => {
    const issuer = 'https://id.example';
    const keysAt = (jwks_uri: string) => {
      const fetch = async () => Response.json({ issuer, jwks_uri });
      return createProvider({ ...bff.deps, singleSignOn: { ...bff.singleSignOn, issuer, fetch } }).keys();
    };
    await expect(keysAt('http://id.example/jwks')).rejects.toMatchObject({ code: 'misconfigured' });
    await expect(keysAt('https://id.example/jwks')).resolves.toMatchObject({ issuer });
  });

  it('is refused if all tenants of a cloud share it: strangers would name their own roles', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const fetch = async () => Response.json({ issuer: issuer.replace('common', '{tenantid}') });
    const provider = createProvider({ ...bff.deps, singleSignOn: { ...bff.singleSignOn, issuer, fetch } });
    await expect(provider.signOutUrl(publicUrl)).rejects.toMatchObject({
      code: 'misconfigured',
      reason: 'other-issuer',
    });
  });

  it('is reported as misconfigured if it does not accept our secret', async () => {
    bff = await openSingleSignOn({ clientSecret: 'canary-wrong-secret' });
    expect(problemAt(await signInByProvider(bff.browser))).toBe('misconfigured');
  });

  it('is asked for its metadata once by all who come at the same time, and again after an hour', async () => {
    const starts = () => Promise.all([1, 2, 3].map(() => goToProvider(bff.browser)));
    await starts();
    await starts();
    expect(bff.requested).toEqual([discovery]);
    bff.time.now += providerLimits.metadata;
    await starts();
    expect(bff.requested).toEqual([discovery, discovery]);
    bff.time.now += providerLimits.metadata;
    bff.fault.intercept = refuseConnection;
    expect((await goToProvider(bff.browser)).origin).toBe(bff.provider.issuer);
  });

  it('gets the secret in the form if it accepts it only there', async () => {
    const bodies: string[] = [];
    bff.fault.intercept = async (request, goOn) => {
      if (request.url.endsWith('/token')) bodies.push(await request.clone().text());
      const answer = await goOn();
      if (!request.url.endsWith(discovery)) return answer;
      const reported: object = await answer.json();
      return Response.json({ ...reported, token_endpoint_auth_methods_supported: ['client_secret_post'] });
    };
    await signInByProvider(bff.browser);
    expect(new URLSearchParams(bodies[0]).get('client_secret')).toBe(openIdClient.secret);
  });
});

describe('a sign-out', () => {
  beforeEach(async () => {
    await signInByProvider(bff.browser);
  });

  it('ends the session, and names the page that ends it at the provider', async () => {
    const answer = await bff.browser.ask('DELETE', '/bff/session');
    const { goOnTo }: { goOnTo: string } = await answer.json();
    const there = new URL(goOnTo);
    expect(there.origin).toBe(bff.provider.issuer);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      client_id: openIdClient.id,
      post_logout_redirect_uri: `${publicUrl}/sign-in`,
    });
    expect(await isIn(bff.browser)).toBe(false);
    expect((await bff.browser.go(goOnTo)).answer?.status).toBe(200);
  });

  it.each<[string, SingleSignOnBff['fault']['intercept']]>([
    ['the provider is down', refuseConnection],
    [
      'the provider has no such page',
      async (_, goOn) => {
        const { end_session_endpoint: _page, ...rest } = await (await goOn()).json();
        return Response.json(rest);
      },
    ],
  ])('works where %s', async (_, intercept) => {
    bff.fault.intercept = intercept;
    // A replica that has not fetched the metadata yet.
    bff.browser.use(bff.openReplica().fetch);
    expect((await bff.browser.ask('DELETE', '/bff/session')).status).toBe(204);
    expect(await isIn(bff.browser)).toBe(false);
  });

  it('leads to no other page for a user with a password', async () => {
    await bff.changeAccount('canary-kari', { issuer: null });
    expect((await bff.browser.ask('DELETE', '/bff/session')).status).toBe(204);
  });
});

test('no secret of the provider and no data of its users is logged, or is in an address', async () => {
  bff = await openSingleSignOn({ claimsInIdToken: true });
  const tokens: string[] = [];
  bff.fault.intercept = async (request, goOn) => {
    const answer = await goOn();
    if (request.url.endsWith('/token')) {
      const reported: Record<string, unknown> = await answer.clone().json();
      tokens.push(...['id_token', 'access_token'].map((name) => String(reported[name])));
    }
    return answer;
  };
  const { url } = await goToCallback(bff.browser);
  const handed = [url.searchParams.get('code') ?? '', url.searchParams.get('state') ?? ''];
  const { url: end } = await bff.browser.go(url.href, undefined, 'cross-site');
  const signedOut = await (await bff.browser.ask('DELETE', '/bff/session')).text();
  bff.fault.intercept = refuseConnection;
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
