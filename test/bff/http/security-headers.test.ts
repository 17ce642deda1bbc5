import { beforeAll, describe, expect, it, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

const plainGet = (path: string, base?: string) =>
  ask('GET', path, { headers: { 'X-CSRF': null, 'Sec-Fetch-Site': 'none' }, ...(base && { base }) });

let bff: TestDesk;
beforeAll(async () => {
  bff = await createTestDesk({ service: 'canned' });
});

describe('a page', () => {
  it('comes with the exact content security policy and its companions', async () => {
    const { headers } = await bff.fetch(plainGet('/subscribers/7'));
    expect(headers.get('Content-Security-Policy')).toBe(policy);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Strict-Transport-Security')).toBeNull();
  });

  it('may write to the clipboard and use nothing else of the browser', async () => {
    const { headers } = await bff.fetch(plainGet('/'));
    const features = headers.get('Permissions-Policy')?.split(', ') ?? [];
    expect(features.filter((feature) => !feature.endsWith('=()'))).toEqual(['clipboard-write=(self)']);
    expect(features).toEqual(
      expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'usb=()']),
    );
  });

  it('keeps its status, its body and its own caching', async () => {
    const headers = { 'Cache-Control': 'max-age=9', ETag: '"a"' };
    const pages = async () => new Response('gone', { status: 404, headers });
    const response = await bff.openReplica({ pages }).fetch(plainGet('/assets/x.js'));
    expect([response.status, await response.text()]).toEqual([404, 'gone']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'max-age=9',
      etag: '"a"',
      'content-security-policy': policy,
    });
  });

  it('is a 304 without a body where it is unchanged', async () => {
    const pages = async () => new Response(null, { status: 304 });
    expect((await bff.openReplica({ pages }).fetch(plainGet('/'))).status).toBe(304);
  });

  it('is a problem with the same headers where it fails', async () => {
    const pages = () => Promise.reject(new Error('canary-message'));
    const response = await bff.openReplica({ pages }).fetch(plainGet('/'));
    expect(response.headers.get('Content-Security-Policy')).toBe(policy);
    expect(await outcomeOf(response)).toBe('500 internal-error');
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'request-failed', error: 'Error', route: '*' }),
    );
    expect(JSON.stringify(bff.logs)).not.toContain('canary');
  });
});

test('HTTPS is asked for during two years, on pages and data alike', async () => {
  const base = 'https://desk.test';
  const secure = bff.openReplica({ transport: { kind: 'http', publicUrl: base } });
  for (const path of ['/', '/bff/session', '/healthz']) {
    const { headers } = await secure.fetch(plainGet(path, base));
    expect(headers.get('Strict-Transport-Security')).toBe(`max-age=${2 * 365 * 24 * 60 * 60}`);
  }
});

test('data is kept by no cache, whether it is answered, refused or for nobody who is signed in', async () => {
  const desk = await createTestDesk({ service: 'canned' });
  for (const { name, line, method, path, body } of everyRoute) {
    // A changed password would let nobody sign in for the routes after it.
    const person = await desk.signIn(name === 'changePassword' ? 'support' : 'manager');
    const answers = [
      await desk.fetch(ask(method, path, { body })),
      await person.ask(method, path, body, { 'X-CSRF': null }),
      await person.ask(method, path, body),
    ];
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers), line).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[\w-]{16}$/),
      });
      expect([...headers.keys()].filter((header) => header.startsWith('access-control'))).toEqual([]);
    }
  }
});
