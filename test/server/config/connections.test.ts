import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { otherDialect } from '../../support/bff/other-service/dialect.ts';
import { readText } from '../../support/code/source-files.ts';

const read = (env: Record<string, string>, files: Record<string, string> = {}) =>
  readConfig(env, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  });

function errorsOf(env: Record<string, string>, files?: Record<string, string>): string[] {
  try {
    read(env, files);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

const elsewhere = {
  UPSTREAM_URL: 'https://subscribers.example.com/v1/',
  UPSTREAM_CLIENT_ID: 'desk',
  UPSTREAM_CLIENT_SECRET: 'a secret of theirs',
  UPSTREAM_SCOPE_READ: 'subs.read',
  UPSTREAM_SCOPE_WRITE: 'subs.write subs.tokens',
};

describe('a service elsewhere', () => {
  test('is named by all of its variables', () => {
    expect(read(elsewhere).upstream).toEqual({
      url: 'https://subscribers.example.com/v1',
      clientId: 'desk',
      clientSecret: 'a secret of theirs',
      scopes: { read: 'subs.read', write: 'subs.write subs.tokens' },
      dialect: null,
    });
  });

  test('may have its secret in a file', () => {
    const { UPSTREAM_CLIENT_SECRET: secret, ...others } = elsewhere;
    const env = { ...others, UPSTREAM_CLIENT_SECRET_FILE: 'f' };
    expect(read(env, { f: `${secret}\n` }).upstream?.clientSecret).toBe(secret);
  });

  test.each(Object.keys(elsewhere))('is not half named: %s alone, or all but it', (name) => {
    const { [name]: value = '', ...others } = elsewhere as Record<string, string>;
    expect(errorsOf(others)).toEqual([expect.stringMatching(new RegExp(`^Set ${name} as well: `))]);
    expect(errorsOf({ [name]: value })).toHaveLength(4);
  });

  test.each([
    [
      'UPSTREAM_URL',
      ['', 'example.com', 'ftp://a', 'https://me@a', 'https://a?x', 'https://a/b#c', 'https://a/../b'],
    ],
    ['UPSTREAM_CLIENT_ID', ['', ' ', 'a\nb']],
    ['UPSTREAM_CLIENT_SECRET', ['', ' ', 'a\0b']],
    ['UPSTREAM_SCOPE_READ', ['', ' ', 'a  b', ' a', 'a"b', 'å']],
    ['UPSTREAM_SCOPE_WRITE', ['', 'a\tb']],
  ])('has no odd %s', (name, texts) => {
    for (const text of texts)
      expect(errorsOf({ ...elsewhere, [name]: text }), JSON.stringify(text)).toEqual([
        expect.stringMatching(new RegExp(`^Set ${name} to .*\\.$`)),
      ]);
  });

  test('gets no made-up subscribers', () => {
    expect(errorsOf({ ...elsewhere, SAMPLE_SUBSCRIBERS: '5' })).toEqual([
      'Remove SAMPLE_SUBSCRIBERS or UPSTREAM_URL: samples are only for the embedded service.',
    ]);
    expect(errorsOf({ ...elsewhere, SAMPLE_SUBSCRIBERS: '0' })).toEqual([]);
  });

  test('has a database of its own', () => {
    expect(errorsOf({ ...elsewhere, SERVICE_DATABASE_URL: 'postgres://localhost/service' })).toEqual([
      'Remove SERVICE_DATABASE_URL or UPSTREAM_URL: a service elsewhere has its own database.',
    ]);
  });
});

const provider = {
  OIDC_ISSUER: 'https://id.example.com/realms/staff',
  OIDC_CLIENT_ID: 'subscriber-desk',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
};

describe('single sign-on', () => {
  test('is named by issuer, id and secret; the role stands in the claim "roles" unless another is named', () => {
    const openId = {
      issuer: 'https://id.example.com/realms/staff',
      clientId: 'subscriber-desk',
      clientSecret: 'a secret of the provider',
      roleClaim: 'roles',
    };
    expect(read(provider).openId).toEqual(openId);
    expect(read({ ...provider, OIDC_ROLE_CLAIM: 'realm_access.roles' }).openId?.roleClaim).toBe(
      'realm_access.roles',
    );
  });

  test('asks for what is set, and for the usual where nothing is', () => {
    expect(read({ ...provider, OIDC_SCOPE: 'groups openid' }).openId?.scope).toBe('groups openid');
    expect(read(provider).openId).not.toHaveProperty('scope');
  });

  test('may have its secret in a file', () => {
    const { OIDC_CLIENT_SECRET: secret, ...others } = provider;
    expect(read({ ...others, OIDC_CLIENT_SECRET_FILE: 'f' }, { f: `${secret}\n` }).openId?.clientSecret).toBe(
      secret,
    );
  });

  test.each(Object.keys(provider))('is not half named: %s alone, or all but it', (name) => {
    const { [name]: value = '', ...others } = provider as Record<string, string>;
    expect(errorsOf(others)).toEqual([expect.stringMatching(new RegExp(`^Set ${name} as well: `))]);
    expect(errorsOf({ [name]: value })).toHaveLength(2);
  });

  test('needs more than a claim or a scope', () => {
    expect(errorsOf({ OIDC_ROLE_CLAIM: 'roles' })).toHaveLength(3);
    expect(errorsOf({ OIDC_SCOPE: 'openid' })).toHaveLength(3);
  });

  test.each([
    'https://id.example.com',
    'http://localhost:9000',
    'http://127.0.0.1:9000/x',
    'http://[::1]:9000',
  ])('takes the issuer %s', (issuer) => {
    expect(read({ ...provider, OIDC_ISSUER: issuer }).openId?.issuer).toBe(issuer);
  });

  test.each([
    [
      'OIDC_ISSUER',
      [
        '',
        'id.example.com',
        'http://id.example.com',
        'http://localhost.example.com',
        'ftp://localhost',
        'https://me@id.example.com',
        'https://id.example.com?x',
        'https://id.example.com/a#b',
        'https://id.example.com/a/../b',
      ],
    ],
    ['OIDC_CLIENT_ID', ['', ' ', 'a\nb']],
    ['OIDC_CLIENT_SECRET', ['', ' ', 'a\nb']],
    ['OIDC_ROLE_CLAIM', ['', ' ']],
    [
      'OIDC_SCOPE',
      ['', 'profile', 'OpenID', 'openid  email', 'openid,email', ' openid', 'openid\n', 'openid "x"'],
    ],
  ])('says what is wrong with %s', (name, texts) => {
    for (const text of texts)
      expect(errorsOf({ ...provider, [name]: text }), JSON.stringify(text)).toEqual([
        expect.stringMatching(new RegExp(`^Set ${name} to .*\\.$`)),
      ]);
  });
});

const [one, other] = ['1', '2'].map((digit) => digit.repeat(32));

describe('SERVICE_CLIENTS', () => {
  test('names clients with their secrets and scopes, of which the first two colons separate', () => {
    const text = `crm:${one}:subscribers:read subscribers:write, shop:${other}:subscribers:read`;
    expect(read({ SERVICE_CLIENTS: text }).service.clients).toEqual([
      { id: 'crm', secrets: [one], scopes: ['subscribers:read', 'subscribers:write'] },
      { id: 'shop', secrets: [other], scopes: ['subscribers:read'] },
    ]);
  });

  test('names a client twice while one secret replaces the other', () => {
    const text = `crm:${one}:subscribers:read,crm:${other}:subscribers:read`;
    expect(read({ SERVICE_CLIENTS: text }).service.clients).toEqual([
      { id: 'crm', secrets: [one, other], scopes: ['subscribers:read'] },
    ]);
  });

  test('may come from a file, or be empty', () => {
    const fromFile = read({ SERVICE_CLIENTS_FILE: 'f' }, { f: `crm:${one}:subscribers:read\n` });
    expect(fromFile.service.clients).toHaveLength(1);
    expect(read({ SERVICE_CLIENTS: '' }).service.clients).toEqual([]);
  });

  test.each([
    ['no secret', 'crm:subscribers:read'],
    ['a short secret', 'crm:secret:subscribers:read'],
    ['no scope', `crm:${one}:`],
    ['an unknown scope', `crm:${one}:subscribers:delete`],
    ['no id', `:${one}:subscribers:read`],
    ['an id that is none', `a b:${one}:subscribers:read`],
    ['a letter that no header takes', `crm:${'é'.repeat(32)}:subscribers:read`],
    ['an empty entry', `crm:${one}:subscribers:read,`],
    ['three secrets of one client', Array<string>(3).fill(`crm:${one}:subscribers:read`).join(',')],
    ['two minds about its scopes', `crm:${one}:subscribers:read,crm:${other}:subscribers:write`],
  ])('with %s is refused, and not repeated', (_, text) => {
    const errors = errorsOf({ SERVICE_CLIENTS: text });
    expect(errors).toEqual([expect.stringMatching(/^Set SERVICE_CLIENTS to id:secret:scopes /)]);
    expect(errors.join()).not.toContain(one);
  });
});

describe('the dialect of a service elsewhere', () => {
  /** The dialect in a file with this text. */
  const readDialect = (text: string | null, env: Record<string, string> = elsewhere) =>
    readConfig({ ...env, UPSTREAM_DIALECT: 'd.json' }, () => {
      if (text === null) throw new Error('ENOENT');
      return text;
    }).upstream?.dialect;

  function dialectErrorsOf(dialect: unknown, env?: Record<string, string>): string[] {
    try {
      readDialect(typeof dialect === 'string' ? dialect : JSON.stringify(dialect), env);
    } catch (error) {
      return error instanceof Error ? error.message.split('\n') : [];
    }
    return [];
  }

  test('an empty dialect is the contract without extensions', () => {
    expect(readDialect('{}')).toEqual({
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
    expect(readDialect(JSON.stringify(otherDialect))).toMatchObject(otherDialect);
    expect(readDialect('{"extensions": ["IsTrial"]}')?.extensions).toEqual(['IsTrial']);
  });

  test('the example in the server’s README is one', () => {
    const [, example = ''] = /```json\n([^`]+)```/.exec(readText('src/server/README.md')) ?? [];
    expect(dialectErrorsOf(example)).toEqual([]);
  });

  test('all errors are reported at once, each with its path', () => {
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
    const paths = dialectErrorsOf(wrong).map(
      (sentence) => /^In d\.json, ([\w.]+): .*\.$/.exec(sentence)?.[1],
    );
    expect(new Set(paths)).toEqual(
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
    expect(dialectErrorsOf({ operations: { [operation]: { path } } })).toEqual([
      expect.stringMatching(new RegExp(`^In d\\.json, operations\\.${operation}\\.path: `)),
    ]);
  });

  test('a file that is no JSON, or cannot be read, is named', () => {
    expect(dialectErrorsOf('{"record": ')).toEqual([expect.stringMatching(/^d\.json is not valid JSON\./)]);
    expect(() => readDialect(null)).toThrow('Set UPSTREAM_DIALECT to a file that this program can read.');
  });

  test('a dialect belongs to a service elsewhere', () => {
    expect(dialectErrorsOf({}, {})).toHaveLength(5);
    expect(dialectErrorsOf({}, {}).join()).toContain('Set UPSTREAM_URL as well');
  });
});

describe('a connection to another machine that anybody could read', () => {
  const plain = { ...elsewhere, UPSTREAM_URL: 'http://subscribers.example.com/v1' };

  test('to the service stops the start, unless it is allowed', () => {
    expect(errorsOf(plain)).toEqual([
      expect.stringMatching(/^Set UPSTREAM_URL to an https address: .*ALLOW_PLAIN_HTTP=true\.$/),
    ]);
    expect(errorsOf({ ...plain, ALLOW_PLAIN_HTTP: 'false' })).toHaveLength(1);
    expect(errorsOf({ ...plain, ALLOW_PLAIN_HTTP: 'true' })).toEqual([]);
    expect(errorsOf({ ...plain, UPSTREAM_URL: 'http://127.0.0.1:9000' })).toEqual([]);
    expect(errorsOf({ ALLOW_PLAIN_HTTP: 'yes' })).toEqual(['Set ALLOW_PLAIN_HTTP to true or false.']);
  });

  test.each(['DATABASE_URL', 'SERVICE_DATABASE_URL'])(
    'to %s stops the start, unless its address says so',
    (name) => {
      const at = (url: string) => errorsOf({ [name]: url });
      const refused = [
        expect.stringMatching(new RegExp(`^Add \\?sslmode=verify-full to ${name}: .*sslmode=disable\\.$`)),
      ];
      expect(at('postgres://u:secret@db.example.com/desk')).toEqual(refused);
      expect(at('postgres://localhost/desk?host=db.example.com')).toEqual(refused);
      expect(at('postgres://localhost/desk?host=localhost&host=db.example.com')).toEqual(refused);
      expect(at('postgres://u:secret@db.example.com/desk?sslmode=')).toEqual(refused);
      expect(at('postgres://u:secret@db.example.com/desk?sslmode=off')).toEqual(refused);
      expect(at('postgres://u:secret@db.example.com/desk').join()).not.toContain('secret');
      for (const url of [
        'postgres://u:secret@db.example.com/desk?sslmode=disable',
        'postgres://u:secret@db.example.com/desk?sslmode=verify-full',
        'postgres://u:secret@localhost/desk',
        'postgres://u:secret@[::1]/desk',
        'postgres://localhost/desk?host=/run/postgresql',
      ])
        expect(at(url)).toEqual([]);
    },
  );

  test('of the service by itself stops it too', () => {
    const env = { SERVICE_DATABASE_URL: 'postgres://u:secret@db.example.com/service' };
    expect(() => readConfig(env, () => '', 'service')).toThrow(
      /^Add \?sslmode=verify-full to SERVICE_DATABASE_URL: /,
    );
  });
});

describe('a collector of traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

  test('gets the headers that it asks for, also from a file', () => {
    expect(read(endpoint).collector).toEqual({ headers: {} });
    const headers = { 'x-api-key': 'a=b c', tenant: '7' };
    const text = 'x-api-key=a=b%20c, tenant=7';
    expect(read({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: text }).collector).toEqual({ headers });
    const env = { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS_FILE: 'f' };
    expect(read(env, { f: `${text}\n` }).collector).toEqual({ headers });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['', 'otel:4318', 'grpc://otel:4317', 'http://otel:4318?x']],
    ['OTEL_EXPORTER_OTLP_HEADERS', ['key', '=value', 'key=a b', 'key=%0a', 'key=%', 'a b=c']],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', ['grpc']],
  ])('has no odd %s', (name, texts) => {
    for (const text of texts)
      expect(errorsOf({ ...endpoint, [name]: text }), JSON.stringify(text)).toEqual([
        expect.stringMatching(new RegExp(`^Set ${name} to .*\\.$`)),
      ]);
  });

  test('gets no key over plain HTTP on another machine, unless that is allowed', () => {
    const plain = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' };
    expect(errorsOf(plain)).toEqual([]);
    const withKey = { ...plain, OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=KEY' };
    expect(errorsOf(withKey)).toEqual([
      expect.stringMatching(/^Set OTEL_EXPORTER_OTLP_ENDPOINT to an https /),
    ]);
    expect(errorsOf({ ...withKey, ALLOW_PLAIN_HTTP: 'true' })).toEqual([]);
  });
});
