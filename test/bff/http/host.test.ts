import { describe, expect, it } from 'vitest';
import { createTestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

const paths = ['/', '/assets/main.js', '/healthz', '/readyz', '/api/subscribers', '/bff/session'];

async function answersOf(publicUrl: string, base: string, host: string | null) {
  const bff = await createTestDesk({ service: 'canned', transport: { kind: 'http', publicUrl } });
  const answers = paths.map((path) => bff.fetch(ask('GET', path, { base, headers: { Host: host } })));
  return Promise.all(answers.map(outcomeOf));
}

describe('a request for another host', () => {
  it.each([
    ['its address', 'http://127.0.0.1:8080', 'http://evil.test:8080', null],
    ['its Host header', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'evil.test:8080'],
    ['its address under our Host header', 'http://127.0.0.1:8080', 'http://evil.test:8080', '127.0.0.1:8080'],
    ['another port', 'http://127.0.0.1:8080', 'http://127.0.0.1:9090', null],
    ['the usual port of another scheme', 'https://desk.test', 'http://desk.test', 'desk.test:80'],
    ['a longer name', 'https://desk.test', 'https://desk.test.evil.test', null],
    ['a sibling name', 'https://desk.test', 'https://www.desk.test', null],
    ['the loopback address of a public server', 'https://desk.test', 'https://localhost', null],
    ['a name before an at sign', 'https://desk.test', 'https://desk.test', 'evil@desk.test'],
  ])('is refused everywhere before all else: by %s', async (_, publicUrl, base, host) => {
    expect(await answersOf(publicUrl, base, host)).toEqual(paths.map(() => '421 wrong-host'));
  });

  it('is refused by every route and changes nothing', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    const Cookie = (await bff.signIn('manager')).cookie();
    const [{ verified }, sessions] = [{ ...bff.passwords }, await bff.rows('sessions')];
    const forged = [
      { headers: { Host: 'evil.test:8080' } },
      {
        headers: {
          Host: 'evil.test',
          'X-Forwarded-Host': '127.0.0.1:8080',
          Forwarded: 'host="127.0.0.1:8080"',
        },
      },
      // DNS rebinding: the page is of the same origin as its address.
      { headers: { Origin: 'http://rebound.test:8080' }, base: 'http://rebound.test:8080' },
    ];
    const answers: Record<string, string[]> = {};
    for (const { line, method, path, body } of everyRoute) {
      const requests = forged.map(({ headers, ...at }) =>
        ask(method, path, { body, headers: { ...headers, Cookie }, ...at }),
      );
      answers[line] = await Promise.all(requests.map((request) => outcomeOf(bff.fetch(request))));
    }
    const refused = forged.map(() => '421 wrong-host');
    expect(answers).toEqual(Object.fromEntries(everyRoute.map(({ line }) => [line, refused])));
    expect([bff.upstream.calls, bff.passwords.verified]).toEqual([[], verified]);
    expect(await bff.rows('sessions')).toEqual(sessions);
  });
});

describe('a request for this host', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://localhost:8080', null],
    ['http://localhost:8080', 'http://[::1]:8080', '[::1]:8080'],
    ['http://[::1]:8080', 'http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['http://localhost:8080', 'http://localhost:8080', 'LOCALHOST:8080'],
    ['https://desk.test', 'http://desk.test', 'desk.test'],
    ['https://desk.test', 'http://desk.test:443', 'desk.test:443'],
    ['http://localhost', 'http://localhost:80', 'localhost:80'],
  ])('is taken for %s at %s', async (publicUrl, base, host) => {
    const refused = '401 not-signed-in';
    expect(await answersOf(publicUrl, base, host)).toEqual(['200', '200', '200', '200', refused, refused]);
  });
});
