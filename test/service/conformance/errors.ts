import { describe, expect, test } from 'vitest';
import { bodyLimit } from '../../../src/contract/http/router.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Begin = () => Promise<Caller>;

/** An id that nobody has yet, but somebody could. */
const nobody = '9007199254740991';

export function errors(begin: Begin): void {
  describe('no such subscriber is 404', () => {
    missing(begin);
  });
  describe('a bad id is 422', () => {
    badIds(begin);
  });
  describe('a method that a path does not take is 405 with Allow', () => {
    methods(begin);
  });
  describe('an unknown path is 404', () => {
    paths(begin);
  });
  describe.each([
    ['POST', '/subscribers'],
    ['PUT', `/subscribers/${nobody}`],
  ])('the body of %s %s', (method, path) => {
    bodies(begin, method, path);
  });

  test('what a create needs is asked for by name', async () => {
    const { send } = await begin();
    expect(await problemOf(await send('POST', '/subscribers', { body: {} }))).toMatchObject({
      problem: '422 invalid-input',
      fields: ['username', 'email', 'expiresAt'],
    });
  });

  test.each([
    ['DELETE', `/subscribers/${nobody}`],
    ['POST', `/subscribers/${nobody}/regenerate-token`],
  ])('a body where none is taken is 422: %s %s', async (method, path) => {
    const { send } = await begin();
    expect(await problemOf(await send(method, path, { body: {} }))).toMatchObject({
      problem: '422 invalid-input',
      fields: ['body'],
    });
  });
}

function missing(begin: Begin): void {
  test.each([
    ['GET', `/subscribers/${nobody}`],
    ['GET', '/subscribers/by-token/nobody'],
    ['GET', '/subscribers/by-token/%25'],
    ['PUT', `/subscribers/${nobody}`],
    ['DELETE', `/subscribers/${nobody}`],
    ['POST', `/subscribers/${nobody}/regenerate-token`],
  ])('%s %s', async (method, path) => {
    const { send } = await begin();
    const sending = method === 'PUT' ? { body: { note: 'x' } } : {};
    expect(await problemOf(await send(method, path, sending))).toMatchObject({
      problem: '404 no-such-subscriber',
    });
  });
}

const wrongIds = [
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
];

function badIds(begin: Begin): void {
  test.each(wrongIds)('%s', async (id) => {
    const { send } = await begin();
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
}

function methods(begin: Begin): void {
  test.each([
    ['GET', '/oauth/token', 'POST'],
    ['PATCH', '/subscribers', 'GET, HEAD, POST'],
    ['POST', '/subscribers/1', 'GET, HEAD, PUT, DELETE'],
    ['OPTIONS', '/subscribers/1', 'GET, HEAD, PUT, DELETE'],
    ['DELETE', '/subscribers/by-token/x', 'GET, HEAD'],
    ['GET', '/subscribers/1/regenerate-token', 'POST'],
    ['PUT', '/subscriber-statuses', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const { send } = await begin();
    const response = await send(method, path, { token: null });
    expect(response.headers.get('Allow')).toBe(allow);
    expect(await problemOf(response)).toMatchObject({ problem: '405 method-not-allowed' });
  });
}

function paths(begin: Begin): void {
  test.each(['/', '/subscribers/', '/Subscribers', '/subscribers/1/x', '/v0/subscribers', '/oauth'])(
    '%s',
    async (path) => {
      const { send } = await begin();
      expect(await problemOf(await send('GET', path))).toMatchObject({ problem: '404 no-such-address' });
    },
  );
}

const unreadable = ['', '{', 'null', '[]', '7', '"x"', '\uFEFF{}', '{"username":}', '['.repeat(10_000)];

function bodies(begin: Begin, method: string, path: string): void {
  test('that is larger than 64 KiB is 413', async () => {
    const { send, anna } = await begin();
    const body = JSON.stringify({ ...anna, note: 'x'.repeat(bodyLimit) });
    expect(await problemOf(await send(method, path, { body }))).toMatchObject({ problem: '413 too-large' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'that is not JSON is 415: "%s"',
    async (type) => {
      const { send, anna } = await begin();
      const sending = { body: JSON.stringify(anna), headers: { 'Content-Type': type } };
      expect(await problemOf(await send(method, path, sending))).toMatchObject({ problem: '415 not-json' });
    },
  );

  test.each(unreadable)('that cannot be read is 422: %j', async (body) => {
    const { send } = await begin();
    expect(await problemOf(await send(method, path, { body }))).toMatchObject({
      problem: '422 invalid-input',
      fields: ['body'],
    });
  });

  test.each(['id', 'accessToken', 'status', 'userName', '__proto__', 'constructor'])(
    'that has the unknown field "%s" is 422',
    async (field) => {
      const { client, send, anna } = await begin();
      const body = `{"${field}":1,${JSON.stringify(anna).slice(1)}`;
      expect(await problemOf(await send(method, path, { body }))).toMatchObject({
        problem: '422 invalid-input',
        fields: [field],
      });
      const query = { Username: anna.username };
      expect((await client.listSubscribers({ query })).data.totalCount).toBe(0);
    },
  );

  test('that has several faults has each of them named', async () => {
    const { send, anna } = await begin();
    const body = { ...anna, email: 'x', maxConnections: 0, bundles: [1, 2, 0], countries: ['no'] };
    const { fields } = await problemOf(await send(method, path, { body }));
    expect(fields.toSorted()).toEqual(['bundles.2', 'countries.0', 'email', 'maxConnections']);
  });
}
