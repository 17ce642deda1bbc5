import { beforeEach, describe, expect, it, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { onlyPage, subscriber, wholeSubscriber } from '../../support/bff/canned.ts';
import { codeIn } from '../../support/bff/browser.ts';
import { apiRoutes } from '../../support/bff/routes.ts';

const whole = subscriber.accessToken;

let bff: TestDesk;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
});

const ways = [
  ['a list', 'GET', '/api/subscribers', undefined],
  ['one subscriber by its id', 'GET', '/api/subscribers/7?include=bundles', undefined],
  ['one subscriber by its token', 'POST', '/bff/find-by-token', { accessToken: whole }],
] as const;

describe('an answer', () => {
  it.each(ways)('has only the fields of the contract: %s', async (_, method, path, body) => {
    const secret = { playlistUrl: 'https://example.com/canary', nested: { id: 1, note: 'canary' } };
    const value = { ...onlyPage, items: [{ ...subscriber, ...secret }], ...subscriber, ...secret };
    bff.upstream.operation = () => Response.json(value);
    const text = await (await (await bff.signIn('manager')).ask(method, path, body)).text();
    expect(text).not.toMatch(/playlistUrl|nested|https:/);
    expect(JSON.parse(text)).toMatchObject(
      path === '/api/subscribers' ? { page: 1 } : { username: subscriber.username },
    );
  });
});

test('an answer that is nested too deep is refused with 502', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  bff.upstream.operation = () => new Response(deep, { headers: { 'Content-Type': 'application/json' } });
  const response = await (await bff.signIn('viewer')).ask('GET', '/api/subscribers');
  expect(response.status).toBe(502);
});

describe('an access token in an address', () => {
  it.each(apiRoutes)(
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

/** zod would describe each of them, which it cannot: it fails with so many. */
const wrong = Array.from({ length: 30_000 }, () => ({}));

/** Each of its values is wrong, and no list is very long. */
const wrongPage = Array.from({ length: 130 }, () =>
  Object.fromEntries(
    Object.keys(wholeSubscriber).map((name) => [name, name in subscriber ? [] : wrong.slice(0, 240)]),
  ),
);

test.each([
  ['a page', '/api/subscribers', { ...onlyPage, items: wrong }],
  ['each subscriber of a page', '/api/subscribers', { ...onlyPage, items: wrongPage }],
  ['a list of a subscriber', '/api/subscribers/7', { ...subscriber, bundles: wrong }],
  ['the statuses', '/api/subscriber-statuses', wrong],
])('an answer that is wrong all over is refused with 502: %s', async (_, path, body) => {
  bff.upstream.operation = () => Response.json(body);
  expect((await (await bff.signIn('manager')).ask('GET', path)).status).toBe(502);
});

describe('an answer that would keep everybody waiting', () => {
  const many = 430_000;
  const keys = Object.fromEntries(Array.from({ length: many }, (_, index) => [`k${index}`, 0]));
  const addresses = Array.from({ length: many }, () => '192.0.2.1');
  const whole200 = {
    ...onlyPage,
    items: Array.from({ length: 200 }, () => ({ ...subscriber, ipAddresses: addresses.slice(0, 1000) })),
  };
  test.each([
    ['a record of very many fields', '/api/subscribers/7', { ...subscriber, ...keys }],
    [
      'a record with a very long list',
      '/api/subscribers/7?include=ipAddresses',
      { ...subscriber, ipAddresses: addresses },
    ],
    ['a page whose lists are all long', '/api/subscribers', whole200],
    [
      'a page of very many',
      '/api/subscribers',
      { ...onlyPage, items: Array.from({ length: 6000 }, () => subscriber) },
    ],
  ])('an answer is refused with 502 before it is parsed: %s', async (_, path, body) => {
    bff.upstream.operation = () => Response.json(body);
    const answer = await (await bff.signIn('manager')).ask('GET', path);
    expect([answer.status, await codeIn(answer)]).toEqual([502, 'bad-upstream']);
  });
});

test('a subscriber with another token than was looked for is refused, but not one whose token is masked', async () => {
  const find = async () =>
    (await bff.signIn('viewer')).ask('POST', '/bff/find-by-token', { accessToken: whole });
  bff.upstream.operation = () => Response.json({ ...subscriber, accessToken: 'canary-other-token' });
  expect(await codeIn(await find())).toBe('bad-upstream');
  for (const accessToken of [whole.toUpperCase(), `${'*'.repeat(8)}${whole.slice(-4)}`, '••••', 'cana…']) {
    bff.upstream.operation = () => Response.json({ ...subscriber, accessToken });
    expect((await find()).status, accessToken).toBe(200);
  }
});

test('the record of somebody else is refused, and nobody is changed by it', async () => {
  const manager = await bff.signIn('manager');
  const other = () => Response.json(wholeSubscriber, { headers: { ETag: '"v1"' } });
  Object.assign(bff.upstream, { operation: other, lookup: other });
  const answers = [];
  for (const method of ['GET', 'PUT', 'DELETE'])
    answers.push(
      (await manager.ask(method, '/api/subscribers/8', method === 'PUT' ? { note: '' } : undefined)).status,
    );
  expect(answers).toEqual([502, 502, 502]);
  expect(bff.upstream.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});
