import { describe, expect, it, test } from 'vitest';
import { isPointer, valueAt } from '../../../src/bff/upstream/dialect/shape.ts';
import { translateRefusal } from '../../../src/bff/upstream/dialect/answers.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import type { UpstreamAnswer } from '../../../src/bff/upstream/exchange.ts';

describe('a JSON pointer', () => {
  // The examples of RFC 6901 section 5.
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7 };

  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/m~0n', 8],
    ['/ ', 7],
    ['/foo/2', undefined],
    ['/foo/0/x', undefined],
    ['/constructor', undefined],
    ['/__proto__', undefined],
    ['/foo/length/x', undefined],
  ])('the JSON pointer %j points to %j', (pointer, value) => {
    expect(isPointer(pointer)).toBe(true);
    expect(valueAt(document, pointer)).toEqual(value);
  });

  test.each(['foo', '/a~', '/a~2', '#/a'])('the JSON pointer %j is not valid', (text) => {
    expect(isPointer(text)).toBe(false);
  });
});

/** An answer with this body; its status is 422 unless given. */
const answer = (body: unknown, status = 422): UpstreamAnswer => ({
  status,
  headers: new Headers({ 'Content-Type': 'application/json' }),
  bytes: new TextEncoder().encode(JSON.stringify(body)),
});
const bodyOf = ({ bytes }: UpstreamAnswer): unknown => JSON.parse(new TextDecoder().decode(bytes));
const speaking = (dialect: object) => Dialect.parse(dialect);

describe('the error fields of another service', () => {
  const errorsIn = (errors: object, body: unknown) =>
    Object(bodyOf(translateRefusal('createSubscriber', answer(body), speaking({ errors })))).errors;

  test('error fields keep their names unless the dialect has other ones', () => {
    expect(
      errorsIn({ fields: '/errors' }, { errors: { note: ['Too long.'], 'bundles.2': 'Gone.' } }),
    ).toEqual({ note: ['Too long.'], 'bundles.2': ['Gone.'] });
  });

  test('error fields are renamed by a list of names', () => {
    const names = { login: 'username', packages: 'bundles' };
    const body = { fault: { by: { login: ['Taken.'], 'packages[0]': ['Gone.'], email: ['Odd.'] } } };
    expect(errorsIn({ fields: '/fault/by', names }, body)).toEqual({
      username: ['Taken.'],
      'bundles.0': ['Gone.'],
      email: ['Odd.'],
    });
  });

  test.each([
    ['no field of a subscriber', { accessToken: ['No.'], toString: ['No.'], 'a b': ['No.'] }],
    ['the prototype of one', JSON.parse('{"__proto__": ["No."]}')],
  ])('error fields are put under body if they name %s', (_, fields) => {
    expect(Object.keys(errorsIn({ fields: '/errors' }, { errors: fields }))).toEqual(['body']);
  });

  test.each([
    ['nothing', {}],
    ['no sentences', { errors: { note: [7, null, ''], email: {} } }],
    ['no object', { errors: 'no' }],
    ['no JSON', undefined],
  ])('error fields are left out if there is %s, and the answer is still a refusal', (_, body) => {
    const translated = translateRefusal('createSubscriber', answer(body), speaking({}));
    expect(bodyOf(translated)).toMatchObject({ status: 422, detail: expect.stringContaining('Check it') });
    expect(Object(bodyOf(translated)).errors).toBeUndefined();
  });
});

describe('a refusal of another service', () => {
  it.each([
    [404, 'getSubscriber', 404],
    [404, 'listStatuses', 404],
    [412, 'updateSubscriber', 412],
    [422, 'getSubscriber', 422],
    [500, 'getSubscriber', 500],
    [401, 'getSubscriber', 401],
  ] as const)('keeps its status, and none of its text is passed on: %i to %s', (status, operation, kept) => {
    const theirs = answer({ detail: 'canary' }, status);
    const translated = translateRefusal(operation, theirs, speaking({}));
    expect(translated.status).toBe(kept);
    const ours = [404, 412, 422].includes(status) && operation !== 'listStatuses';
    expect(JSON.stringify(bodyOf(translated)).includes('canary')).toBe(!ours);
  });

  test.each([
    ['getSubscriber', 404],
    ['getSubscriberByToken', 404],
    ['deleteSubscriber', 404],
    ['regenerateToken', 404],
    ['updateSubscriber', 422],
    ['createSubscriber', 422],
    ['listSubscribers', 422],
  ] as const)(
    'a 422 to %s becomes a %i where the service answers 422 for a missing subscriber',
    (operation, status) => {
      expect(translateRefusal(operation, answer({}), speaking({ missingIs422: true })).status).toBe(status);
    },
  );
});
