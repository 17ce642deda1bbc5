import { describe, expect, test } from 'vitest';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

const plainGet = (path: string, base?: string) =>
  ask('GET', path, { headers: { 'X-CSRF': null, 'Sec-Fetch-Site': 'none' }, ...(base && { base }) });

describe('a page', () => {
  test('comes with the exact content security policy and its companions', async () => {
    const { headers } = await (await createTestDesk({ service: 'canned' })).fetch(plainGet('/subscribers/7'));
    expect(headers.get('Content-Security-Policy')).toBe(policy);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Strict-Transport-Security')).toBeNull();
  });

  test('may write to the clipboard and use nothing else of the browser', async () => {
    const { headers } = await (await createTestDesk({ service: 'canned' })).fetch(plainGet('/'));
    const features = headers.get('Permissions-Policy')?.split(', ') ?? [];
    expect(features.filter((feature) => !feature.endsWith('=()'))).toEqual(['clipboard-write=(self)']);
    expect(features).toEqual(
      expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'usb=()']),
    );
  });

  test('keeps its status, its body and its own caching', async () => {
    const files = async () =>
      new Response('gone', { status: 404, headers: { 'Cache-Control': 'max-age=9', ETag: '"a"' } });
    const response = await (
      await createTestDesk({ service: 'canned', pages: files })
    ).fetch(plainGet('/assets/x.js'));
    expect([response.status, await response.text()]).toEqual([404, 'gone']);
    expect(response.headers.get('Cache-Control')).toBe('max-age=9');
    expect(response.headers.get('ETag')).toBe('"a"');
    expect(response.headers.get('Content-Security-Policy')).toBe(policy);
  });

  test('that is unchanged is a 304 without a body', async () => {
    const pages = async () => new Response(null, { status: 304 });
    expect((await (await createTestDesk({ service: 'canned', pages })).fetch(plainGet('/'))).status).toBe(
      304,
    );
  });

  test('that fails is a problem with the same headers', async () => {
    const pages = () => Promise.reject(new Error('canary-message'));
    const bff = await createTestDesk({ service: 'canned', pages });
    const response = await bff.fetch(plainGet('/'));
    expect(response.headers.get('Content-Security-Policy')).toBe(policy);
    expect([response.status, await codeIn(response)]).toEqual([500, 'internal-error']);
    expect(bff.logs).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'request-failed', error: 'Error', route: '*' }),
    );
    expect(JSON.stringify(bff.logs)).not.toContain('canary');
  });
});

describe('https', () => {
  test('is asked for during two years, on pages and data alike', async () => {
    const base = 'https://desk.test';
    const bff = await createTestDesk({ service: 'canned', transport: { kind: 'http', publicUrl: base } });
    for (const path of ['/', '/bff/session', '/healthz']) {
      const { headers } = await bff.fetch(plainGet(path, base));
      expect(headers.get('Strict-Transport-Security')).toBe(`max-age=${2 * 365 * 24 * 60 * 60}`);
    }
  });
});

describe('data', () => {
  test.each(everyRoute)(
    'of $name is kept by no cache, allowed or refused',
    async ({ method, path, body }) => {
      const bff = await createTestDesk({ service: 'canned' });
      const Cookie = (await bff.signIn('manager')).cookie();
      const requests = [
        ask(method, path, { body }),
        ask(method, path, { body, headers: { 'X-CSRF': null } }),
        ask(method, path, { body, headers: { Cookie } }),
      ];
      for (const { headers } of await Promise.all(requests.map((request) => bff.fetch(request)))) {
        expect(headers.get('Cache-Control')).toBe('no-store');
        expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
        expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{16}$/);
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );
});
