import { describe, expect, test } from 'vitest';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn, credentialsOf } from '../../support/bff/browser.ts';
import { everyRoute } from '../../support/bff/routes.ts';

const paths = ['/', '/assets/main.js', '/healthz', '/readyz', '/api/subscribers', '/bff/session'];

async function answersOf(publicUrl: string, base: string, host: string | null) {
  const bff = await createTestDesk({ service: 'canned', transport: { kind: 'http', publicUrl } });
  const answers = paths.map((path) => bff.fetch(ask('GET', path, { base, headers: { Host: host } })));
  return Promise.all(answers);
}

describe('a request for another host', () => {
  test.each([
    ['by its address', 'http://127.0.0.1:8080', 'http://evil.test:8080', null],
    ['by its Host header', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'evil.test:8080'],
    [
      'by its address under our Host header',
      'http://127.0.0.1:8080',
      'http://evil.test:8080',
      '127.0.0.1:8080',
    ],
    ['at another port', 'http://127.0.0.1:8080', 'http://127.0.0.1:9090', null],
    ['at the usual port of another scheme', 'https://desk.test', 'http://desk.test', 'desk.test:80'],
    ['by a longer name', 'https://desk.test', 'https://desk.test.evil.test', null],
    ['by a sibling name', 'https://desk.test', 'https://www.desk.test', null],
    ['by the loopback address of a public server', 'https://desk.test', 'https://localhost', null],
    ['with a name before an at sign', 'https://desk.test', 'https://desk.test', 'evil@desk.test'],
  ])('%s is refused everywhere before all else', async (_, publicUrl, base, host) => {
    const answers = await answersOf(publicUrl, base, host);
    expect(await Promise.all(answers.map(codeIn))).toEqual(paths.map(() => 'wrong-host'));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 421));
  });

  test('signs nobody in', async () => {
    const bff = await createTestDesk({ service: 'canned' });
    const request = ask('POST', '/bff/session', {
      body: credentialsOf('manager'),
      base: 'http://rebound.test:8080',
      headers: { Origin: 'http://rebound.test:8080' },
    });
    expect((await bff.fetch(request)).status).toBe(421);
    expect(bff.passwords.verified).toBe(0);
  });
});

test.each(everyRoute)('a request for $name at another host is refused and changes nothing', async (route) => {
  const bff = await createTestDesk({ service: 'canned' });
  const Cookie = (await bff.signIn('manager')).cookie();
  const { verified } = bff.passwords;
  const { method, path, body } = route;
  for (const headers of [
    { Host: 'evil.test:8080' },
    { Host: 'evil.test', 'X-Forwarded-Host': '127.0.0.1:8080', Forwarded: 'host="127.0.0.1:8080"' },
  ]) {
    const response = await bff.fetch(ask(method, path, { body, headers: { ...headers, Cookie } }));
    expect([response.status, await codeIn(response)]).toEqual([421, 'wrong-host']);
  }
  expect([bff.upstream.calls, bff.passwords.verified]).toEqual([[], verified]);
  const { length: sessions } = await bff.db.selectFrom('sessions').selectAll().execute();
  expect(sessions).toBe(1);
});

describe('a request for this host', () => {
  test.each([
    ['http://127.0.0.1:8080', 'http://localhost:8080', null],
    ['http://localhost:8080', 'http://[::1]:8080', '[::1]:8080'],
    ['http://[::1]:8080', 'http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['http://localhost:8080', 'http://localhost:8080', 'LOCALHOST:8080'],
    ['https://desk.test', 'http://desk.test', 'desk.test'],
    ['https://desk.test', 'http://desk.test:443', 'desk.test:443'],
    ['http://localhost', 'http://localhost:80', 'localhost:80'],
  ])('of %s at %s is taken', async (publicUrl, base, host) => {
    const answers = await answersOf(publicUrl, base, host);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401, 401]);
  });
});
