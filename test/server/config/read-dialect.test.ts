import { expect, test } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { otherDialect } from '../../support/bff/other-service/dialect.ts';
import { readText } from '../../support/code/source-files.ts';

const elsewhere = {
  UPSTREAM_URL: 'https://subscribers.example.com',
  UPSTREAM_CLIENT_ID: 'desk',
  UPSTREAM_CLIENT_SECRET: 'a secret of theirs',
  UPSTREAM_SCOPE_READ: 'read',
  UPSTREAM_SCOPE_WRITE: 'write',
};

/** The dialect in a file with this text. */
const read = (text: string | null, env: Record<string, string> = elsewhere) =>
  readConfig({ ...env, UPSTREAM_DIALECT: 'd.json' }, () => {
    if (text === null) throw new Error('ENOENT');
    return text;
  }).upstream?.dialect;

function errorsOf(dialect: unknown, env?: Record<string, string>): string[] {
  try {
    read(typeof dialect === 'string' ? dialect : JSON.stringify(dialect), env);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

test('an empty dialect is the contract without extensions', () => {
  expect(read('{}')).toEqual({
    operations: {},
    record: '',
    list: { items: '/items', total: '/totalCount' },
    statuses: { items: '', id: '/id', name: '/name' },
    errors: { fields: '/errors', names: {} },
    extensions: [],
    omittedFieldsAreReset: false,
    missingIs422: false,
    deleteAnswersNothing: false,
  });
});

test('a dialect says where the service differs', () => {
  expect(read(JSON.stringify(otherDialect))).toMatchObject(otherDialect);
  expect(read('{"extensions": ["IsTrial"]}')?.extensions).toEqual(['IsTrial']);
});

test('the README’s example is one', () => {
  const [, example = ''] = /```json\n([^`]+)```/.exec(readText('README.md')) ?? [];
  expect(errorsOf(example)).toEqual([]);
});

test('everything that is wrong is said at once, with its place', () => {
  const wrong = {
    operations: {
      getSubscriber: { path: '/customers/{number}' },
      listSubscribers: { path: 'customers', method: 'FETCH' },
      createSubscriber: { method: 'GET' },
      banSubscriber: {},
    },
    record: 'Data',
    extensions: ['IsRich'],
    missingIs422: 'yes',
    colour: 'red',
  };
  const places = errorsOf(wrong).map((sentence) => /^In d\.json, ([\w.]+): .*\.$/.exec(sentence)?.[1]);
  expect(new Set(places)).toEqual(
    new Set([
      'colour',
      'extensions.0',
      'missingIs422',
      'operations.banSubscriber',
      'operations.createSubscriber.method',
      'operations.getSubscriber.path',
      'operations.listSubscribers.method',
      'operations.listSubscribers.path',
      'record',
    ]),
  );
});

test.each([
  ['/customers', 'getSubscriber'],
  ['/customers/{id}/{id}', 'getSubscriber'],
  ['/customers/{id}', 'listSubscribers'],
  ['/customers/../{id}', 'getSubscriber'],
  ['/customers/./{id}', 'getSubscriber'],
  ['//evil.test/{id}', 'getSubscriber'],
  ['/customers/{id}?all', 'getSubscriber'],
  ['/customers/{id}#x', 'getSubscriber'],
  ['/customers/%2e%2e/{id}', 'getSubscriber'],
  ['/customers/{id}/', 'getSubscriber'],
  ['', 'listSubscribers'],
])('%j is no path of %s', (path, operation) => {
  expect(errorsOf({ operations: { [operation]: { path } } })).toEqual([
    expect.stringMatching(new RegExp(`^In d\\.json, operations\\.${operation}\\.path: `)),
  ]);
});

test('a file that is no JSON, or cannot be read, is named', () => {
  expect(errorsOf('{"record": ')).toEqual([expect.stringMatching(/^d\.json is not JSON\./)]);
  expect(() => read(null)).toThrow('Set UPSTREAM_DIALECT to a file that can be read.');
});

test('a dialect belongs to a service elsewhere', () => {
  expect(errorsOf({}, {})).toHaveLength(5);
  expect(errorsOf({}, {}).join()).toContain('Set UPSTREAM_URL too');
});
