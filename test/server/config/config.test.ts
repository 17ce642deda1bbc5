import { describe, expect, it, test } from 'vitest';
import { publicUrlAt, serviceUrlAt } from '../../../src/server/config/config.ts';
import { collector, elsewhere, errorsOf, provider, read } from '../../support/server/read-config.ts';

test('an empty environment gives the defaults', () => {
  expect(read({})).toEqual({
    PORT: 8080,
    HOST: '127.0.0.1',
    TRUSTED_PROXIES: [],
    DATA_DIR: './data',
    SAMPLE_SUBSCRIBERS: 2000,
    TRIAL_DAYS: 7,
    READS_PER_SECOND: 20,
    JOURNAL_DAYS: 400,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_HEADERS: {},
    SERVICE_PORT: 8081,
    SERVICE_CLIENTS: [],
    upstream: null,
    openId: null,
  });
});

const journalKey = '-_ab0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabc';
const playlist = 'https://tv.example.com/{username}/playlist.m3u8?token={token}';
const longest = [...'nine tired otters sing of 🔑 and rain, '.repeat(4)].slice(0, 127).join('').concat('!');

test('each variable takes the values that fit', () => {
  const postgres = 'postgres://u:p%40ss@localhost:5432/desk';
  const rows: [name: string, text: string, value?: unknown][] = [
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['HOST', 'localhost'],
    ['HOST', '::1'],
    ['PUBLIC_URL', 'https://desk.example.com'],
    ['PUBLIC_URL', 'https://Desk.example.com:443/', 'https://desk.example.com'],
    ['PUBLIC_URL', 'http://localhost:9000'],
    ['PUBLIC_URL', 'http://[::1]:9000'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['DATA_DIR', '/var/lib/desk'],
    ['DATABASE_URL', postgres],
    ['SERVICE_DATABASE_URL', 'postgresql://db/service?sslmode=verify-full'],
    ['SAMPLE_SUBSCRIBERS', '0', 0],
    ['MANAGER_PASSWORD', 'fifteen letters'],
    ['MANAGER_PASSWORD', longest],
    ['STATUS_HELP', ' Ask billing (ext. 12). ', 'Ask billing (ext. 12).'],
    ['STATUS_HELP', 'é'.repeat(200)],
    ['REQUIRE_SECOND_FACTOR', 'managers'],
    ['REQUIRE_SECOND_FACTOR', 'all'],
    ['TRIAL_DAYS', '1', 1],
    ['TRIAL_DAYS', '365', 365],
    ['PLAYLIST_URL_TEMPLATE', playlist],
    ['READS_PER_SECOND', '0', 0],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://otel:4318'],
    ['JOURNAL_DAYS', '1', 1],
    ['JOURNAL_DAYS', '36500', 36_500],
    ['JOURNAL_KEY', journalKey],
    ['LOG_LEVEL', 'error'],
    ['METRICS_TOKEN', 'sixteen-letters.'],
  ];
  for (const [name, text, value = text] of rows)
    expect(read({ [name]: text }), `${name}=${text}`).toMatchObject({ [name]: value });
  const samplesOf = (env: Record<string, string>) => read(env).SAMPLE_SUBSCRIBERS;
  expect(samplesOf({ SERVICE_DATABASE_URL: 'postgres://localhost/service' })).toBe(0);
  expect(samplesOf({ PUBLIC_URL: 'https://desk.example.com' })).toBe(0);
  expect(samplesOf({ PUBLIC_URL: 'http://localhost:9000' })).toBe(2000);
  expect(samplesOf({ SERVICE_URL: 'http://localhost:9000/v1' })).toBe(2000);
  // Everybody can compute the access tokens of samples.
  expect(samplesOf({ SERVICE_URL: 'https://subscribers.example.com/v1' })).toBe(0);
  for (const issuer of [
    'https://id.example.com',
    ...['localhost', '127.0.0.1', '[::1]'].map((at) => `http://${at}:9000/x`),
  ])
    expect(read({ ...provider, OIDC_ISSUER: issuer }).openId?.issuer).toBe(issuer);
});

const oddDatabases = [
  '',
  'db',
  'mysql://db/desk',
  'postgres:',
  'postgres:///desk',
  'postgres://db',
  'postgres://db/',
  'postgres://u:p#ss@db/desk',
  'postgres://u:1/2@db/desk',
  'postgres://u:100%@db/desk',
  'postgres://u:p%00@db/desk',
];

/** Values that do not fit, and what else is set. */
const refused: [name: string, texts: string[], others?: Record<string, string>][] = [
  ['METRICS_TOKEN', ['', 'fifteen-letters', 'a token with blanks', `${'x'.repeat(20)}\n${'x'.repeat(20)}`]],
  ['PORT', ['', '-1', '65536', '80.5', '8e1', '0x50', ' 80', 'http', '1'.repeat(400)]],
  ['STATUS_HELP', ['', ' ', '\u200b', 'two\nlines', 'a\u202eb', 'a\0b', '\ud800', 'x'.repeat(201)]],
  ['REQUIRE_SECOND_FACTOR', ['', 'nobody', 'ALL', 'managers,all']],
  ['TRIAL_DAYS', ['', '0', '366', '-7', '1.5', 'a week']],
  [
    'PLAYLIST_URL_TEMPLATE',
    [
      '',
      'https://tv.example.com/playlist.m3u8',
      'http://tv.example.com/{token}',
      'https://{token}.example.com/',
      'https://user@tv.example.com/{token}',
      'https://tv.example.com/{token}/{password}',
      'https://tv.example.com/{token}\n',
      ' https://tv.example.com/{token}',
      `https://tv.example.com/{token}/${'x'.repeat(500)}`,
      'javascript:alert("{token}")',
    ],
  ],
  ['JOURNAL_DAYS', ['', '0', '36501', '1.5', '-1', 'for ever']],
  [
    'JOURNAL_KEY',
    [
      '',
      ' ',
      'secret',
      journalKey.slice(1),
      `${journalKey}A`,
      `${journalKey}=`,
      ` ${journalKey}`,
      `${journalKey}\n`,
      // Its last letter has bits of a 33rd byte.
      journalKey.replace(/.$/, 'B'),
      journalKey.replace('-', '+'),
      journalKey.replace('_', '/'),
      journalKey.replace('-', 'é'),
      'f'.repeat(64),
    ],
  ],
  ['HOST', ['', ' ', 'http://localhost', 'a b', '-x', 'desk/', '127.0.0.1:80']],
  [
    'PUBLIC_URL',
    [
      '',
      'desk.example.com',
      'http://desk.example.com',
      'https://desk.example.com/desk',
      'https://desk.example.com/?',
      'https://desk.example.com/#',
      'https://me@desk.example.com',
      'https://desk.example.com/.',
      'https://*.example.com',
      'https://desk.example.com,other.example.com',
      'ftp://localhost',
      'http://localhost.example.com',
      'https://desk.example.com https://other.example.com',
    ],
  ],
  ['DATA_DIR', ['', ' ', 'a\0b']],
  ['TRUSTED_PROXIES', [',', 'proxy', '10.0.0.0/33', '10.0.0.0/8; 192.0.2.1', '*']],
  ['DATABASE_URL', oddDatabases],
  ['SERVICE_DATABASE_URL', oddDatabases],
  ['SAMPLE_SUBSCRIBERS', ['', '-1', 'many', '1000001', '1.5']],
  [
    'MANAGER_PASSWORD',
    ['', 'fourteen chars', `${longest}.`, 'passwordpassword', 'manager-manager!', 'x'.repeat(20)],
  ],
  ['LOG_LEVEL', ['', 'INFO', 'debug']],
  [
    'UPSTREAM_URL',
    ['', 'example.com', 'ftp://a', 'https://me@a', 'https://a?x', 'https://a/b#c', 'https://a/../b'],
    elsewhere,
  ],
  ['UPSTREAM_CLIENT_ID', ['', ' ', 'a\nb'], elsewhere],
  ['UPSTREAM_CLIENT_SECRET', ['', ' ', 'a\0b'], elsewhere],
  ['UPSTREAM_SCOPE_READ', ['', ' ', 'a  b', ' a', 'a"b', 'å'], elsewhere],
  ['UPSTREAM_SCOPE_WRITE', ['', 'a\tb'], elsewhere],
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
    provider,
  ],
  ['OIDC_CLIENT_ID', ['', ' ', 'a\nb'], provider],
  ['OIDC_CLIENT_SECRET', ['', ' ', 'a\nb'], provider],
  ['OIDC_ROLE_CLAIM', ['', ' '], provider],
  [
    'OIDC_SCOPE',
    ['', 'profile', 'OpenID', 'openid  email', 'openid,email', ' openid', 'openid\n', 'openid "x"'],
    provider,
  ],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['', 'otel:4318', 'grpc://otel:4317', 'http://otel:4318?x']],
  ['OTEL_EXPORTER_OTLP_HEADERS', ['key', '=value', 'key=a b', 'key=%0a', 'key=%', 'a b=c'], collector],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', ['grpc'], collector],
];

test.each(refused)(
  '%s names a value that does not fit, and never takes the default instead',
  (name, texts, others) => {
    for (const text of texts)
      expect(errorsOf({ ...others, [name]: text }), JSON.stringify(text)).toEqual([
        expect.stringMatching(new RegExp(`^Set ${name} to .*\\.$`)),
      ]);
  },
);

test('all that is wrong is listed at once, a sentence each', () => {
  const errors = errorsOf({ PORT: 'x', HOST: '', LOG_LEVEL: 'loud' });
  expect(errors.map((error) => /^Set (\w+) /.exec(error)?.[1])).toEqual(['PORT', 'HOST', 'LOG_LEVEL']);
});

test('what variables lack together is listed beside one that is wrong, which itself is not missing', () => {
  const { OIDC_ISSUER: _, ...others } = provider;
  const env = { PORT: 'x', HOST: '0.0.0.0', ...others, OIDC_CLIENT_SECRET: '', UPSTREAM_URL: 'here' };
  const named = errorsOf(env).map((error) => /^Set (\w+) (to|as well)/.exec(error)?.slice(1).join(' '));
  expect(named).toEqual([
    'PORT to',
    'UPSTREAM_URL to',
    'OIDC_CLIENT_SECRET to',
    'UPSTREAM_CLIENT_ID as well',
    'UPSTREAM_CLIENT_SECRET as well',
    'UPSTREAM_SCOPE_READ as well',
    'UPSTREAM_SCOPE_WRITE as well',
    'OIDC_ISSUER as well',
    'PUBLIC_URL to',
  ]);
  const { OIDC_CLIENT_SECRET: __, ...unread } = provider;
  expect(errorsOf({ ...unread, OIDC_CLIENT_SECRET_FILE: 'gone' })).toEqual([
    'Set OIDC_CLIENT_SECRET_FILE to a file that this program can read.',
  ]);
});

test('an error does not repeat the password', () => {
  const env = { MANAGER_PASSWORD: 'hunter2', DATABASE_URL: 'mysql://desk:hunter2@db/desk' };
  expect(errorsOf(env)).toHaveLength(2);
  expect(errorsOf(env).join()).not.toContain('hunter2');
});

describe('a secret from a file', () => {
  it('is read without its last line break', () => {
    const clients = `crm:${'1'.repeat(32)}:subscribers:read`;
    const headers = 'x-api-key=a=b%20c, tenant=7';
    const rows: [name: string, value: string, others?: Record<string, string>][] = [
      ['MANAGER_PASSWORD', 'a long password here'],
      ['METRICS_TOKEN', 'sixteen-letters.'],
      ['JOURNAL_KEY', journalKey],
      ['UPSTREAM_CLIENT_SECRET', elsewhere.UPSTREAM_CLIENT_SECRET, elsewhere],
      ['OIDC_CLIENT_SECRET', provider.OIDC_CLIENT_SECRET, provider],
      ['SERVICE_CLIENTS', clients],
      ['OTEL_EXPORTER_OTLP_HEADERS', headers, collector],
    ];
    for (const [name, value, others = {}] of rows) {
      const { [name]: _, ...env } = others;
      for (const end of ['', '\n', '\r\n'])
        expect(read({ ...env, [`${name}_FILE`]: 'f' }, { f: value + end }), name).toEqual(
          read({ ...env, [name]: value }),
        );
    }
  });

  it('keeps the rule of its variable', () => {
    expect(errorsOf({ MANAGER_PASSWORD_FILE: 'f' }, { f: 'short\n' })).toEqual([
      expect.stringMatching(/^Set MANAGER_PASSWORD to a password of 15 to 128 characters/),
    ]);
    expect(errorsOf({ JOURNAL_KEY_FILE: 'f' }, { f: `${journalKey}\n\n` })).toEqual([
      expect.stringMatching(/^Set JOURNAL_KEY to 32 random bytes/),
    ]);
  });

  it('does not stand beside the variable itself, nor in a file that can’t be read', () => {
    expect(errorsOf({ MANAGER_PASSWORD_FILE: 'gone' })).toEqual([
      'Set MANAGER_PASSWORD_FILE to a file that this program can read.',
    ]);
    const both = { MANAGER_PASSWORD: 'fifteen letters', MANAGER_PASSWORD_FILE: 'f' };
    expect(errorsOf(both, { f: 'another password' })).toEqual([
      'Set MANAGER_PASSWORD or MANAGER_PASSWORD_FILE, not both.',
    ]);
  });
});

describe('the public address', () => {
  it('follows from host and port on loopback, unless PUBLIC_URL says another', () => {
    expect(publicUrlAt(read({}), 8080)).toBe('http://127.0.0.1:8080');
    expect(publicUrlAt(read({ HOST: '::1', PORT: '0' }), 4711)).toBe('http://[::1]:4711');
    expect(publicUrlAt(read({ PORT: '80' }), 80)).toBe('http://127.0.0.1');
    const PUBLIC_URL = 'https://desk.example.com';
    expect(publicUrlAt(read({ PUBLIC_URL }), 8080)).toBe(PUBLIC_URL);
  });

  it('must be given where the server listens to other machines', () => {
    expect(errorsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^Set PUBLIC_URL /)]);
    expect(errorsOf({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' })).toEqual([]);
  });
});

describe('the address of the service', () => {
  const at = (env: Record<string, string>, port: number) => serviceUrlAt(read(env, {}, 'service'), port);
  const errorsWith = (env: Record<string, string>) => errorsOf(env, {}, 'service');

  it('follows from host and port on loopback, unless SERVICE_URL says another', () => {
    expect(at({}, 8081)).toBe('http://127.0.0.1:8081');
    expect(at({ HOST: '::1' }, 4711)).toBe('http://[::1]:4711');
    const elsewhereToo = { HOST: '0.0.0.0', SERVICE_URL: 'https://api.example.com/v1/' };
    expect(at(elsewhereToo, 8081)).toBe('https://api.example.com/v1');
  });

  it('must be given where the service listens to other machines, but not PUBLIC_URL', () => {
    expect(errorsWith({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^Set SERVICE_URL /)]);
  });

  it('must have no query', () => {
    const odd = [
      '',
      'api.example.com',
      'https://api.example.com/?x',
      'https://me@api.example.com',
      'ftp://a',
    ];
    for (const SERVICE_URL of odd)
      expect(errorsWith({ SERVICE_URL }), SERVICE_URL).toEqual([
        expect.stringMatching(/^Set SERVICE_URL to /),
      ]);
  });
});
