import { describe, expect, it, test } from 'vitest';
import { isPointer, valueAt } from '../../../src/bff/upstream/dialect/shape.ts';
import { readReply } from '../../../src/bff/upstream/answer.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { RefusedByService } from '../../../src/bff/upstream/failures.ts';
import { problemAnswer } from '../../../src/contract/http/answer.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { createTestDesk } from '../../support/desk.ts';
import { entered } from '../../support/people.ts';
import type { StaffOperation } from '../../../src/contract/bff/permission.ts';

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

/** The problem that an answer with this body becomes; its status is 422 unless given. */
function refusalOf(operation: StaffOperation, dialect: object, body: unknown, status = 422) {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  try {
    return readReply(operation, {}, { status, headers, bytes }, Dialect.parse(dialect));
  } catch (error) {
    if (!(error instanceof RefusedByService)) throw error;
    return problemAnswer(error, '').value;
  }
}

describe('the error fields of another service', () => {
  const errorsIn = (errors: object, body: unknown) =>
    Object(refusalOf('createSubscriber', { errors }, body)).errors;

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
    const refusal = refusalOf('createSubscriber', {}, body);
    expect(refusal).toMatchObject({ status: 422, detail: expect.stringContaining('Check it') });
    expect(refusal).not.toHaveProperty('errors');
  });
});

describe('a refusal of another service', () => {
  it('is not read if it is larger than one for people', () => {
    const refusal = refusalOf(
      'createSubscriber',
      {},
      { errors: Array.from({ length: 20_000 }, () => 'No.') },
    );
    expect(refusal).toMatchObject({ status: 422 });
    expect(refusal).not.toHaveProperty('errors');
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
      expect(refusalOf(operation, { missingIs422: true }, {})).toMatchObject({ status });
    },
  );
});

const hasEverybody =
  'an export by small pages has everybody who is there throughout, once, while others are deleted';

test.each([[[]], [['AfterId']]] as const)(`${hasEverybody} (extensions: %j)`, async (extensions) => {
  const dialect = Dialect.parse({ maxPageSize: 50 });
  const desk = await createTestDesk({ samples: 1000, upstream: { dialect, extensions } });
  const manager = await desk.signIn('manager');
  const deleted: number[] = [];
  let lists = 0;
  desk.upstream.operation = async ({ url }, next) => {
    const answer = await next();
    if (!url.includes('PageSize')) return answer;
    lists += 1;
    if (lists % 3 === 0 && deleted.length < 7) {
      const id = deleted.push(deleted.length + 1);
      await desk.service.deleteSubscriber({ params: { id } });
    }
    return answer;
  };
  const text = await (await manager.ask('GET', '/bff/export?format=jsonl&columns=id')).text();
  const rows = text.trimEnd().split('\n');
  const ids = new Set(rows.map((row) => (JSON.parse(row) as { id: number }).id));
  const there = Array.from({ length: 1000 }, (_, index) => index + 1).filter((id) => !deleted.includes(id));
  const missing = there.filter((id) => !ids.has(id));
  expect([deleted.length, missing, rows.length]).toEqual([7, [], ids.size]);
});

test.each([{}, { 'If-Match': '*' }])(
  'an update whose other fields are read first is refused if somebody changes the subscriber in between (%j)',
  async (headers) => {
    const dialect = Dialect.parse({ omittedFieldsAreReset: true });
    const desk = await createTestDesk({ people: [entered], upstream: { dialect } });
    const support = await desk.signIn('support');
    let reads = 0;
    desk.upstream.lookup = async (_, next) => {
      const answer = await next();
      reads += 1;
      if (reads === 2) await desk.service.updateSubscriber({ params: { id: 1 }, body: { note: 'Theirs.' } });
      return answer;
    };
    const update = support.fetch(ask('PUT', '/api/subscribers/1', { body: { hls: false }, headers }));
    expect(await outcomeOf(update)).toBe('412 changed-meanwhile');
    expect(await desk.saved()).toMatchObject({ note: 'Theirs.', hls: true });
  },
);
