import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { newPasswordFault, newPasswordLength as passwordLength } from '../../contract/bff/password.ts';
import { isPlaylistTemplate } from '../../contract/bff/playlist-url.ts';
import { isPlainText, isVisible, movesText } from '../../contract/http/text.ts';
import { isTrustable } from '../http/client-address.ts';
import {
  collectorVariables,
  isHttpsOrLoopback,
  openIdVariables,
  serviceVariables,
  upstreamVariables,
} from './connections.ts';

/** The name of the account that the first start creates. */
export const firstAccountName = 'manager';

export const logLevels = ['info', 'warn', 'error'] as const;

/** Every environment variable: which values are valid, what they become, and the sentence for invalid values. */
export const Variables = z.object({
  PORT: z._default(wholeNumber('PORT', 65_535), 8080),
  HOST: z._default(
    variable(isHost, 'Set HOST to an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0.'),
    '127.0.0.1',
  ),
  PUBLIC_URL: z.optional(
    z.pipe(
      variable(
        isPublicUrl,
        'Set PUBLIC_URL to an address without a path, such as https://desk.example.com. Use http:// only for this machine, such as http://localhost:8080.',
      ),
      z.transform((text: string) => new URL(text).origin),
    ),
  ),
  TRUSTED_PROXIES: z._default(
    z.pipe(
      variable(
        (text) => listOf(text).every(isTrustable),
        'Set TRUSTED_PROXIES to addresses or ranges, separated by commas, such as 10.0.0.0/8, 192.0.2.1.',
      ),
      z.transform(listOf),
    ),
    [],
  ),
  DATA_DIR: z._default(
    variable(
      (text) => text.trim() !== '' && !text.includes('\0'),
      'Set DATA_DIR to a folder, such as ./data.',
    ),
    './data',
  ),
  DATABASE_URL: databaseUrl('DATABASE_URL'),
  SERVICE_DATABASE_URL: databaseUrl('SERVICE_DATABASE_URL'),
  SAMPLE_SUBSCRIBERS: z.optional(wholeNumber('SAMPLE_SUBSCRIBERS', 1_000_000)),
  MANAGER_PASSWORD: z.optional(
    variable(
      (text) => newPasswordFault(text, firstAccountName) === null,
      `Set MANAGER_PASSWORD to a password of ${passwordLength.least} to ${passwordLength.most} characters that is hard to guess, not close to the name ${firstAccountName}.`,
    ),
  ),
  JOURNAL_DAYS: z._default(wholeNumber('JOURNAL_DAYS', 36_500, 1), 400),
  JOURNAL_KEY: z.optional(
    variable(
      // The last letter has no bits that the bytes do not have, so each key is written in one way.
      (text) => /^[\w-]{42}[AEIMQUYcgkosw048]$/.test(text),
      "Set JOURNAL_KEY to 32 random bytes in base64url, 43 signs, for example with openssl rand -base64 32 | tr '+/' '-_' | tr -d '='.",
    ),
  ),
  STATUS_HELP: z.optional(
    variable(
      (text) => text.length <= 200 && isPlainText(text) && isVisible(text) && !movesText(text),
      'Set STATUS_HELP to one line of 1 to 200 visible characters, such as Status is set in the billing system.',
    ),
  ),
  REQUIRE_SECOND_FACTOR: z.optional(
    z.enum(
      ['managers', 'all'],
      'Set REQUIRE_SECOND_FACTOR to managers or all, or leave it out: then nobody has to have a second factor.',
    ),
  ),
  TRIAL_DAYS: z._default(wholeNumber('TRIAL_DAYS', 365, 1), 7),
  PLAYLIST_URL_TEMPLATE: z.optional(
    variable(
      isPlaylistTemplate,
      'Set PLAYLIST_URL_TEMPLATE to an https address with {token}, and {username} if it is needed, such as https://tv.example.com/playlist/{token}.m3u8.',
    ),
  ),
  READS_PER_SECOND: z._default(wholeNumber('READS_PER_SECOND', 1_000_000), 20),
  ALLOW_PLAIN_HTTP: z.optional(z.enum(['true', 'false'], 'Set ALLOW_PLAIN_HTTP to true or false.')),
  ...upstreamVariables,
  ...openIdVariables,
  METRICS_TOKEN: z.optional(
    variable(
      (text) => /^[\w.~+/=-]{16,}$/.test(text),
      'Set METRICS_TOKEN to at least 16 letters, digits or the signs - . _ ~ + / =, for example with openssl rand -hex 32.',
    ),
  ),
  ...collectorVariables,
  SERVICE_PORT: z._default(wholeNumber('SERVICE_PORT', 65_535), 8081),
  ...serviceVariables,
  LOG_LEVEL: z._default(z.enum(logLevels, `Set LOG_LEVEL to one of: ${logLevels.join(', ')}.`), 'info'),
});

/** The checked values of all variables. */
export type Values = z.infer<typeof Variables>;

export const variableNames = Object.keys(Variables.shape);
/** Variables that can also come from the file in `NAME_FILE`. */
export const secretNames = [
  'MANAGER_PASSWORD',
  'UPSTREAM_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
  'DATABASE_URL',
  'SERVICE_DATABASE_URL',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'JOURNAL_KEY',
  'SERVICE_CLIENTS',
] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads each variable as text, from the environment or, for secrets, from the file in `NAME_FILE`.
 *
 * @param errors gets a sentence for each secret that cannot be read
 */
export function readTexts(
  env: Environment,
  readFile: (path: string) => string,
  errors: string[],
): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const name of variableNames) texts[name] = env[name];
  for (const name of secretNames) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    try {
      // Editors and `echo` end a file with a line break that is not part of the secret.
      texts[name] = env[name] === undefined ? readFile(path).replace(/\r?\n$/, '') : undefined;
      if (env[name] !== undefined) errors.push(`Set ${name} or ${name}_FILE, not both.`);
    } catch {
      errors.push(`Set ${name}_FILE to a file that this program can read.`);
    }
  }
  return texts;
}

function variable(fits: (text: string) => boolean, sentence: string) {
  return z.string().check(z.refine(fits, sentence));
}

function wholeNumber(name: string, most: number, least = 0) {
  const fits = (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most;
  const text = variable(fits, `Set ${name} to a whole number from ${least} to ${most}.`);
  return z.pipe(text, z.transform(Number));
}

function databaseUrl(name: string) {
  return z.optional(
    variable(isPostgresUrl, `Set ${name} to an address such as postgres://user:password@host:5432/database.`),
  );
}

/** `a, b` → `['a', 'b']`; an empty text → `[]`. */
function listOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text);
}

function isPublicUrl(text: string): boolean {
  // Checks the text first, because parsing would drop a `/.` and hide a user name.
  const url = /^https?:\/\/[^/?#@\s\\]+\/?$/i.test(text) ? URL.parse(text) : null;
  // A URL's host can contain signs such as `*` that a machine's name cannot.
  if (url === null || !/^(\[[\da-f:]+\]|[\w.-]+)$/.test(url.hostname)) return false;
  return isHttpsOrLoopback(url);
}

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    // A password that is not percent-encoded may have cut the address short. Then this is not a database name.
    /^\/[^/@]+$/.test(url.pathname) &&
    [url.username, url.password, url.pathname].every(isDecodable)
  );
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}
