import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { subscriber } from '../../support/bff/canned.ts';
import { apiRoutes } from '../../support/bff/routes.ts';

const whole = subscriber.accessToken;
const masked = `••••••••••••${whole.slice(-4)}`;

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
});

const ways = [
  ['a list', 'GET', '/api/subscribers', undefined],
  ['one by its id', 'GET', '/api/subscribers/7?include=bundles', undefined],
  ['one by its token', 'POST', '/bff/find-by-token', { accessToken: whole }],
] as const;

const answers = [
  ['alone', () => subscriber],
  ['in a page', () => ({ items: [subscriber, { ...subscriber, id: 8 }], page: 1 })],
  ['in an unknown envelope', () => ({ data: { rows: [[{ last: subscriber }]] } })],
] as const;

describe.each(ways)('%s', (_, method, path, body) => {
  test.each(answers)('shows a viewer no whole token, %s', async (_, value) => {
    bff.upstream.operation = () => Response.json(value(), { headers: { ETag: '"v1"' } });
    const response = await (await bff.signIn('viewer')).ask(method, path, body);
    expect([response.status, response.headers.get('ETag')]).toEqual([200, '"v1"']);
    const text = await response.text();
    expect(text).not.toContain(whole);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value()).replaceAll(whole, masked)));
  });

  test.each(['support', 'manager'])(
    'shows a %s the token, and passes the bytes on unchanged',
    async (role) => {
      const bytes = ` {"accessToken" : "${whole}", "big": 12345678901234567890} `;
      bff.upstream.operation = () => new Response(bytes, { headers: { 'Content-Type': 'application/json' } });
      expect(await (await (await bff.signIn(role)).ask(method, path, body)).text()).toBe(bytes);
    },
  );
});

test('an answer that is nested too deep to be masked is refused', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  bff.upstream.operation = () => new Response(deep, { headers: { 'Content-Type': 'application/json' } });
  const response = await (await bff.signIn('viewer')).ask('GET', '/api/subscribers');
  expect(response.status).toBe(502);
});

describe('an access token in an address', () => {
  test.each(apiRoutes)(
    'is refused by $name, with a sentence that says where to send it',
    async ({ method, path, body }) => {
      const person = await bff.signIn('manager');
      const response = await person.ask(method, `${path}?Page=1&AccessToken=${whole}`, body);
      const text = await response.text();
      expect(response.status).toBe(422);
      expect(text).toContain('Send it in the body to /bff/find-by-token.');
      expect(text).not.toContain(whole);
      expect(bff.upstream.calls).toEqual([]);
    },
  );
});
