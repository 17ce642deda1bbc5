import { describe, expect, test } from 'vitest';
import { bodyLimit } from '../../src/contract/read-input.ts';
import { problemOf, startService } from './harness.ts';
import { anna } from './people.ts';

describe('no such subscriber is 404', () => {
  test.each([
    ['GET', '/subscribers/7'],
    ['GET', '/subscribers/9007199254740991'],
    ['GET', '/subscribers/by-token/nobody'],
    ['GET', '/subscribers/by-token/%25'],
    ['PUT', '/subscribers/7'],
    ['DELETE', '/subscribers/7'],
    ['POST', '/subscribers/7/regenerate-token'],
  ])('%s %s', async (method, path) => {
    const { send } = await startService();
    const sending = method === 'PUT' ? { body: { note: 'x' } } : {};
    expect(await problemOf(await send(method, path, sending))).toMatchObject({
      problem: '404 no-such-subscriber',
    });
  });
});

describe('a bad id is 422', () => {
  test.each([
    'x',
    '0',
    '-1',
    '1.0',
    '01',
    '1e1',
    '9007199254740993',
    '%20',
    '%00',
    '%E0%A4%A',
    '1;x=2',
    'by-token',
  ])('%s', async (id) => {
    const { send } = await startService();
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/regenerate-token'],
    ] as const) {
      const sending = method === 'PUT' ? { body: {} } : {};
      const refused = await problemOf(await send(method, `/subscribers/${id}${path}`, sending));
      expect(refused).toMatchObject({ problem: '422 invalid-input', fields: ['id'] });
    }
  });
});

describe('a method that a path does not take is 405 with Allow', () => {
  test.each([
    ['GET', '/oauth/token', 'POST'],
    ['PATCH', '/subscribers', 'GET, HEAD, POST'],
    ['POST', '/subscribers/1', 'GET, HEAD, PUT, DELETE'],
    ['OPTIONS', '/subscribers/1', 'GET, HEAD, PUT, DELETE'],
    ['DELETE', '/subscribers/by-token/x', 'GET, HEAD'],
    ['GET', '/subscribers/1/regenerate-token', 'POST'],
    ['PUT', '/subscriber-statuses', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const { send } = await startService();
    const response = await send(method, path, { token: null });
    expect(response.headers.get('Allow')).toBe(allow);
    expect(await problemOf(response)).toMatchObject({ problem: '405 method-not-allowed' });
  });
});

describe('an unknown path is 404', () => {
  test.each([
    '/',
    '/subscribers/',
    '/Subscribers',
    '/subscribers/1/x',
    '/v1/subscribers',
    '/oauth',
    '//subscribers',
  ])('%s', async (path) => {
    const { send } = await startService();
    expect(await problemOf(await send('GET', path))).toMatchObject({ problem: '404 no-such-address' });
  });
});

describe.each([
  ['POST', '/subscribers'],
  ['PUT', '/subscribers/1'],
])('the body of %s %s', (method, path) => {
  test('that is larger than 64 KiB is 413', async () => {
    const { send } = await startService();
    const body = JSON.stringify({ ...anna, note: 'x'.repeat(bodyLimit) });
    expect(await problemOf(await send(method, path, { body }))).toMatchObject({ problem: '413 too-large' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'that is not JSON is 415: "%s"',
    async (type) => {
      const { send } = await startService();
      const sending = { body: JSON.stringify(anna), headers: { 'Content-Type': type } };
      expect(await problemOf(await send(method, path, sending))).toMatchObject({ problem: '415 not-json' });
    },
  );

  test.each(['', '{', 'null', '[]', '7', '"x"', '\uFEFF{}', '{"username":}', '['.repeat(10_000)])(
    'that cannot be read is 422: %j',
    async (body) => {
      const { send } = await startService();
      expect(await problemOf(await send(method, path, { body }))).toMatchObject({
        problem: '422 invalid-input',
        fields: ['body'],
      });
    },
  );

  test.each(['id', 'accessToken', 'status', 'userName', '__proto__', 'constructor'])(
    'that has the unknown field "%s" is 422',
    async (field) => {
      const { client, send } = await startService();
      await client.createSubscriber({ body: { ...anna, username: 'Bert' } });
      const body = `{"${field}":1,${JSON.stringify(anna).slice(1)}`;
      expect(await problemOf(await send(method, path, { body }))).toMatchObject({
        problem: '422 invalid-input',
        fields: [field],
      });
      expect((await client.listSubscribers({ query: { Username: anna.username } })).data.totalCount).toBe(0);
    },
  );

  test('that has several faults has each of them named', async () => {
    const { send } = await startService();
    const body = { ...anna, email: 'x', maxConnections: 0, bundles: [1, 2, 0], countries: ['no'] };
    const { fields } = await problemOf(await send(method, path, { body }));
    expect(fields.toSorted()).toEqual(['bundles.2', 'countries.0', 'email', 'maxConnections']);
  });
});

test('what a create needs is asked for by name', async () => {
  const { send } = await startService();
  expect(await problemOf(await send('POST', '/subscribers', { body: {} }))).toMatchObject({
    fields: ['username', 'email', 'expiresAt'],
  });
});
