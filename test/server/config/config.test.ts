import { describe, expect, test } from 'vitest';
import { publicUrlAt, readConfig, serviceUrlAt } from '../../../src/server/config/config.ts';

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

test('an empty environment gives the defaults', () => {
  expect(read({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: null,
    trustedProxies: [],
    dataDir: './data',
    databaseUrl: null,
    serviceDatabaseUrl: null,
    sampleSubscribers: 2000,
    managerPassword: null,
    statusHelp: null,
    trialDays: 7,
    requireSecondFactor: null,
    playlistUrlTemplate: null,
    readsPerSecond: 20,
    journalDays: 400,
    journalKey: null,
    upstream: null,
    openId: null,
    logLevel: 'info',
    metricsToken: null,
    collector: null,
    service: { port: 8081, url: null, clients: [] },
  });
});

const journalKey = '-_ab0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabc';
const playlist = 'https://tv.example.com/{username}/playlist.m3u8?token={token}';
const longest = [...'nine tired otters sing of 🔑 and rain, '.repeat(4)].slice(0, 127).join('').concat('!');

describe('a value that fits is taken', () => {
  test.each([
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65_535],
    ['HOST', 'localhost', 'host', 'localhost'],
    ['HOST', '::1', 'host', '::1'],
    ['PUBLIC_URL', 'https://desk.example.com', 'publicUrl', 'https://desk.example.com'],
    ['PUBLIC_URL', 'https://Desk.example.com:443/', 'publicUrl', 'https://desk.example.com'],
    ['PUBLIC_URL', 'http://localhost:9000', 'publicUrl', 'http://localhost:9000'],
    ['PUBLIC_URL', 'http://[::1]:9000', 'publicUrl', 'http://[::1]:9000'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1', 'trustedProxies', ['10.0.0.0/8', '::1']],
    ['DATA_DIR', '/var/lib/desk', 'dataDir', '/var/lib/desk'],
    [
      'DATABASE_URL',
      'postgres://u:p%40ss@localhost:5432/desk',
      'databaseUrl',
      'postgres://u:p%40ss@localhost:5432/desk',
    ],
    ['SERVICE_DATABASE_URL', 'postgresql://db/service?sslmode=verify-full', 'sampleSubscribers', 0],
    ['SAMPLE_SUBSCRIBERS', '0', 'sampleSubscribers', 0],
    ['PUBLIC_URL', 'https://desk.example.com', 'sampleSubscribers', 0],
    ['PUBLIC_URL', 'http://localhost:9000', 'sampleSubscribers', 2000],
    ['MANAGER_PASSWORD', 'fifteen letters', 'managerPassword', 'fifteen letters'],
    ['MANAGER_PASSWORD', longest, 'managerPassword', longest],
    ['STATUS_HELP', ' Ask billing (ext. 12). ', 'statusHelp', 'Ask billing (ext. 12).'],
    ['STATUS_HELP', 'é'.repeat(200), 'statusHelp', 'é'.repeat(200)],
    ['REQUIRE_SECOND_FACTOR', 'managers', 'requireSecondFactor', 'managers'],
    ['REQUIRE_SECOND_FACTOR', 'all', 'requireSecondFactor', 'all'],
    ['TRIAL_DAYS', '1', 'trialDays', 1],
    ['TRIAL_DAYS', '365', 'trialDays', 365],
    ['PLAYLIST_URL_TEMPLATE', playlist, 'playlistUrlTemplate', playlist],
    ['READS_PER_SECOND', '0', 'readsPerSecond', 0],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://otel:4318', 'collector', { headers: {} }],
    ['JOURNAL_DAYS', '1', 'journalDays', 1],
    ['JOURNAL_DAYS', '36500', 'journalDays', 36_500],
    ['JOURNAL_KEY', journalKey, 'journalKey', journalKey],
    ['LOG_LEVEL', 'error', 'logLevel', 'error'],
    ['METRICS_TOKEN', 'sixteen-letters.', 'metricsToken', 'sixteen-letters.'],
  ])('%s=%s', (name, text, key, value) => {
    expect(read({ [name]: text })).toMatchObject({ [key]: value });
  });
});

describe('a value that does not fit is named, and never replaced by the default', () => {
  test.each([
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
    ...['DATABASE_URL', 'SERVICE_DATABASE_URL'].map((name): [string, string[]] => [
      name,
      [
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
      ],
    ]),
    ['SAMPLE_SUBSCRIBERS', ['', '-1', 'many', '1000001', '1.5']],
    [
      'MANAGER_PASSWORD',
      ['', 'fourteen chars', `${longest}.`, 'passwordpassword', 'manager-manager!', 'x'.repeat(20)],
    ],
    ['LOG_LEVEL', ['', 'INFO', 'debug']],
  ])('%s', (name, texts) => {
    for (const text of texts)
      expect(errorsOf({ [name]: text }), JSON.stringify(text)).toEqual([
        expect.stringMatching(new RegExp(`^Set ${name} to .*\\.$`)),
      ]);
  });
});

test('all that is wrong is listed at once, a sentence each', () => {
  const errors = errorsOf({ PORT: 'x', HOST: '', LOG_LEVEL: 'loud' });
  expect(errors).toEqual([
    expect.stringContaining('PORT'),
    expect.stringContaining('HOST'),
    expect.stringContaining('LOG_LEVEL'),
  ]);
});

test('an error does not repeat the password', () => {
  const env = { MANAGER_PASSWORD: 'hunter2', DATABASE_URL: 'mysql://desk:hunter2@db/desk' };
  expect(errorsOf(env)).toHaveLength(2);
  expect(errorsOf(env).join()).not.toContain('hunter2');
});

describe('a secret from a file', () => {
  test('is read without its last line break', () => {
    const files = { '/run/secret': 'a long password here\r\n' };
    expect(read({ MANAGER_PASSWORD_FILE: '/run/secret' }, files).managerPassword).toBe(
      'a long password here',
    );
  });

  test('may be what the figures are read with', () => {
    const files = { '/run/secret': 'sixteen-letters.\n' };
    expect(read({ METRICS_TOKEN_FILE: '/run/secret' }, files).metricsToken).toBe('sixteen-letters.');
  });

  test('may be the key of the journal', () => {
    expect(read({ JOURNAL_KEY_FILE: 'f' }, { f: `${journalKey}\n` }).journalKey).toBe(journalKey);
    expect(errorsOf({ JOURNAL_KEY_FILE: 'f' }, { f: `${journalKey}\n\n` })).toEqual([
      expect.stringMatching(/^Set JOURNAL_KEY to 32 random bytes/),
    ]);
  });

  test('keeps its rule', () => {
    expect(errorsOf({ MANAGER_PASSWORD_FILE: 'f' }, { f: 'short\n' })).toEqual([
      expect.stringMatching(/^Set MANAGER_PASSWORD to a password of 15 to 128 characters/),
    ]);
  });

  test('that cannot be read is an error, not a generated password', () => {
    expect(errorsOf({ MANAGER_PASSWORD_FILE: 'gone' })).toEqual([
      'Set MANAGER_PASSWORD_FILE to a file that this program can read.',
    ]);
  });

  test('beside the variable itself is an error', () => {
    const env = { MANAGER_PASSWORD: 'fifteen letters', MANAGER_PASSWORD_FILE: 'f' };
    expect(errorsOf(env, { f: 'another password' })).toEqual([
      'Set MANAGER_PASSWORD or MANAGER_PASSWORD_FILE, not both.',
    ]);
  });
});

describe('the public address', () => {
  test('follows from host and port on loopback', () => {
    expect(publicUrlAt(read({}), 8080)).toBe('http://127.0.0.1:8080');
    expect(publicUrlAt(read({ HOST: '::1', PORT: '0' }), 4711)).toBe('http://[::1]:4711');
    expect(publicUrlAt(read({ PORT: '80' }), 80)).toBe('http://127.0.0.1');
  });

  test('is what PUBLIC_URL says', () => {
    expect(publicUrlAt(read({ PUBLIC_URL: 'https://desk.example.com' }), 8080)).toBe(
      'https://desk.example.com',
    );
  });

  test('must be given where the server listens to other machines', () => {
    expect(errorsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^Set PUBLIC_URL /)]);
    expect(errorsOf({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' })).toEqual([]);
  });
});

const readService = (env: Record<string, string>) => readConfig(env, () => '', 'service');
function serviceErrorsOf(env: Record<string, string>): string[] {
  try {
    readService(env);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

describe('the address of the service', () => {
  test('follows from host and port on loopback', () => {
    expect(serviceUrlAt(readService({}), 8081)).toBe('http://127.0.0.1:8081');
    expect(serviceUrlAt(readService({ HOST: '::1' }), 4711)).toBe('http://[::1]:4711');
  });

  test('is what SERVICE_URL says, with a path but without a slash at its end', () => {
    const config = readService({ HOST: '0.0.0.0', SERVICE_URL: 'https://api.example.com/v1/' });
    expect(serviceUrlAt(config, 8081)).toBe('https://api.example.com/v1');
  });

  test('must be given where the service listens to other machines, and PUBLIC_URL need not be', () => {
    expect(serviceErrorsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^Set SERVICE_URL /)]);
  });

  test.each(['', 'api.example.com', 'https://api.example.com/?x', 'https://me@api.example.com', 'ftp://a'])(
    'is an address without a query: "%s"',
    (text) => {
      expect(serviceErrorsOf({ SERVICE_URL: text })).toEqual([expect.stringMatching(/^Set SERVICE_URL to /)]);
    },
  );
});
