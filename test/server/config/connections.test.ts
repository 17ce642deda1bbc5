import { describe, expect, it, test } from 'vitest';
import { otherDialect } from '../../support/bff/other-service.ts';
import { readText } from '../../support/code/source-files.ts';
import { collector, elsewhere, errorsOf, provider, read } from '../../support/server/read-config.ts';

describe('a service elsewhere', () => {
  it('is named by all of its variables', () => {
    expect(read(elsewhere).upstream).toEqual({
      url: 'https://subscribers.example.com/v1',
      clientId: 'desk',
      clientSecret: 'a secret of theirs',
      scopes: { read: 'subs.read', write: 'subs.write subs.tokens' },
      dialect: null,
    });
  });

  it('gets no made-up subscribers and no database of ours', () => {
    expect(errorsOf({ ...elsewhere, SAMPLE_SUBSCRIBERS: '5' })).toEqual([
      'Remove SAMPLE_SUBSCRIBERS or UPSTREAM_URL: samples are only for the embedded service.',
    ]);
    expect(errorsOf({ ...elsewhere, SAMPLE_SUBSCRIBERS: '0' })).toEqual([]);
    expect(errorsOf({ ...elsewhere, SERVICE_DATABASE_URL: 'postgres://localhost/service' })).toEqual([
      'Remove SERVICE_DATABASE_URL or UPSTREAM_URL: a service elsewhere has its own database.',
    ]);
  });
});

describe('single sign-on', () => {
  it('is named by issuer, id and secret; the role stands in the claim "roles" unless another is named', () => {
    const openId = {
      issuer: 'https://id.example.com/realms/staff',
      clientId: 'subscriber-desk',
      clientSecret: 'a secret of the provider',
      roleClaim: 'roles',
    };
    expect(read(provider).openId).toEqual(openId);
    const roleClaim = 'realm_access.roles';
    expect(read({ ...provider, OIDC_ROLE_CLAIM: roleClaim }).openId?.roleClaim).toBe(roleClaim);
    expect(read({ ...provider, OIDC_SCOPE: 'groups openid' }).openId?.scope).toBe('groups openid');
  });

  it('needs more than a claim or a scope', () => {
    expect(errorsOf({ OIDC_ROLE_CLAIM: 'roles' })).toHaveLength(3);
    expect(errorsOf({ OIDC_SCOPE: 'openid' })).toHaveLength(3);
  });
});

test.each<[string, Record<string, string>]>([
  ['a service elsewhere', elsewhere],
  ['single sign-on', provider],
])('%s is not half named, by one variable alone or by all but one', (_, whole) => {
  for (const [name, value] of Object.entries(whole)) {
    const { [name]: _without, ...others } = whole;
    expect(errorsOf(others)).toEqual([expect.stringMatching(new RegExp(`^Set ${name} as well: `))]);
    expect(errorsOf({ [name]: value })).toHaveLength(Object.keys(others).length);
  }
});

const [one, other] = ['1', '2'].map((digit) => digit.repeat(32));

describe('SERVICE_CLIENTS', () => {
  it('names clients with their secrets and scopes, of which the first two colons separate', () => {
    const text = `crm:${one}:subscribers:read subscribers:write, shop:${other}:subscribers:read`;
    expect(read({ SERVICE_CLIENTS: text }).SERVICE_CLIENTS).toEqual([
      { id: 'crm', secrets: [one], scopes: ['subscribers:read', 'subscribers:write'] },
      { id: 'shop', secrets: [other], scopes: ['subscribers:read'] },
    ]);
  });

  it('names a client twice while one secret replaces the other', () => {
    const text = `crm:${one}:subscribers:read,crm:${other}:subscribers:read`;
    expect(read({ SERVICE_CLIENTS: text }).SERVICE_CLIENTS).toEqual([
      { id: 'crm', secrets: [one, other], scopes: ['subscribers:read'] },
    ]);
  });

  it('may be empty', () => {
    expect(read({ SERVICE_CLIENTS: '' }).SERVICE_CLIENTS).toEqual([]);
  });

  it.each([
    ['no secret', 'crm:subscribers:read'],
    ['a short secret', 'crm:secret:subscribers:read'],
    ['no scope', `crm:${one}:`],
    ['an unknown scope', `crm:${one}:subscribers:delete`],
    ['no id', `:${one}:subscribers:read`],
    ['an id that is none', `a b:${one}:subscribers:read`],
    ['a letter that no header takes', `crm:${'é'.repeat(32)}:subscribers:read`],
    ['the ID of the dashboard', `subscriber-desk:${one}:subscribers:read`],
    ['an empty entry', `crm:${one}:subscribers:read,`],
    ['three secrets of one client', Array<string>(3).fill(`crm:${one}:subscribers:read`).join(',')],
    ['two minds about its scopes', `crm:${one}:subscribers:read,crm:${other}:subscribers:write`],
  ])('may not have %s, and is not repeated in the error', (_, text) => {
    const errors = errorsOf({ SERVICE_CLIENTS: text });
    expect(errors).toEqual([expect.stringMatching(/^Set SERVICE_CLIENTS to id:secret:scopes /)]);
    expect(errors.join()).not.toContain(one);
  });
});

describe('the dialect of a service elsewhere', () => {
  /** The dialect in a file with this text. */
  const UPSTREAM_DIALECT = 'd.json';
  const readDialect = (text: string) =>
    read({ ...elsewhere, UPSTREAM_DIALECT }, { [UPSTREAM_DIALECT]: text }).upstream?.dialect;
  const dialectErrorsOf = (dialect: unknown, env: Record<string, string> = elsewhere) => {
    const text = typeof dialect === 'string' ? dialect : JSON.stringify(dialect);
    return errorsOf({ ...env, UPSTREAM_DIALECT }, { [UPSTREAM_DIALECT]: text });
  };

  it('is the contract without extensions where it says nothing', () => {
    expect(readDialect('{}')).toEqual({
      operations: {},
      record: '',
      list: { items: '/items', total: '/totalCount' },
      statuses: { items: '', id: '/id', name: '/name' },
      errors: { fields: '/errors', names: {} },
      extensions: [],
      omittedFieldsAreReset: false,
      missingIs422: false,
    });
  });

  it('says where the service differs', () => {
    expect(readDialect(JSON.stringify(otherDialect))).toMatchObject(otherDialect);
    expect(readDialect('{"extensions": ["IsTrial"]}')?.extensions).toEqual(['IsTrial']);
  });

  it('has an example in the README of the BFF', () => {
    const [, example = ''] = /```json\n([^`]+)```/.exec(readText('src/bff/README.md')) ?? [];
    expect(dialectErrorsOf(example)).toEqual([]);
  });

  it('has all errors reported at once, each with its path', () => {
    const wrong = {
      operations: {
        getSubscriber: { path: '/customers/{number}' },
        listSubscribers: { path: 'customers', method: 'FETCH' },
        createSubscriber: { method: 'GET' },
        banSubscriber: {},
      },
      record: 'Data',
      bundles: { path: '/packages?all=1', title: '/title' },
      extensions: ['IsRich'],
      missingIs422: 'yes',
      colour: 'red',
    };
    const paths = dialectErrorsOf(wrong).map(
      (sentence) => /^In d\.json, ([\w.]+): .*\.$/.exec(sentence)?.[1],
    );
    expect(new Set(paths)).toEqual(
      new Set([
        'bundles.path',
        'bundles.title',
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

  it('has no odd path', () => {
    const rows = [
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
    ];
    for (const [path, operation = ''] of rows)
      expect(dialectErrorsOf({ operations: { [operation]: { path } } }), path).toEqual([
        expect.stringMatching(new RegExp(`^In d\\.json, operations\\.${operation}\\.path: `)),
      ]);
  });

  it('is named where it is no JSON, or can’t be read', () => {
    expect(dialectErrorsOf('{"record": ')).toEqual([expect.stringMatching(/^d\.json is not valid JSON\./)]);
    expect(errorsOf({ ...elsewhere, UPSTREAM_DIALECT })).toEqual([
      'Set UPSTREAM_DIALECT to a file that this program can read.',
    ]);
  });

  it('belongs to a service elsewhere', () => {
    expect(dialectErrorsOf({}, {})).toHaveLength(5);
    expect(dialectErrorsOf({}, {}).join()).toContain('Set UPSTREAM_URL as well');
  });
});

describe('a connection to another machine that anybody could read', () => {
  const plain = { ...elsewhere, UPSTREAM_URL: 'http://subscribers.example.com/v1' };

  it('stops the start where it is to the service, unless it is allowed', () => {
    expect(errorsOf(plain)).toEqual([
      expect.stringMatching(/^Set UPSTREAM_URL to an https address: .*ALLOW_PLAIN_HTTP=true\.$/),
    ]);
    expect(errorsOf({ ...plain, ALLOW_PLAIN_HTTP: 'false' })).toHaveLength(1);
    expect(errorsOf({ ...plain, ALLOW_PLAIN_HTTP: 'true' })).toEqual([]);
    expect(errorsOf({ ...plain, UPSTREAM_URL: 'http://127.0.0.1:9000' })).toEqual([]);
    expect(errorsOf({ ALLOW_PLAIN_HTTP: 'yes' })).toEqual(['Set ALLOW_PLAIN_HTTP to true or false.']);
  });

  it.each(['DATABASE_URL', 'SERVICE_DATABASE_URL'])(
    'stops the start where it is to %s, unless its address says so',
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

  it('stops the start of the service by itself too', () => {
    const env = { SERVICE_DATABASE_URL: 'postgres://u:secret@db.example.com/service' };
    expect(errorsOf(env, {}, 'service')).toEqual([
      expect.stringMatching(/^Add \?sslmode=verify-full to SERVICE_DATABASE_URL: /),
    ]);
  });
});

describe('a collector of traces', () => {
  it('gets the headers that it asks for', () => {
    const text = 'x-api-key=a=b%20c, tenant=7';
    const headers = { 'x-api-key': 'a=b c', tenant: '7' };
    const env = { ...collector, OTEL_EXPORTER_OTLP_HEADERS: text };
    expect(read(env).OTEL_EXPORTER_OTLP_HEADERS).toEqual(headers);
  });

  it('gets no key over plain HTTP on another machine, unless that is allowed', () => {
    const plain = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' };
    expect(errorsOf(plain)).toEqual([]);
    const withKey = { ...plain, OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=KEY' };
    expect(errorsOf(withKey)).toEqual([
      expect.stringMatching(/^Set OTEL_EXPORTER_OTLP_ENDPOINT to an https /),
    ]);
    expect(errorsOf({ ...withKey, ALLOW_PLAIN_HTTP: 'true' })).toEqual([]);
  });
});
