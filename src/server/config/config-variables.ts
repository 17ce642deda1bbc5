import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { newPasswordLength as passwordLength } from '../../contract/bff/password.ts';
import { isTrustable } from '../http/client-address.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { openIdVariables } from './openid-config.ts';
import { serviceVariables } from './service-config.ts';
import { upstreamVariables } from './upstream-config.ts';

export const logLevels = ['info', 'warn', 'error'] as const;

/** Every variable that is read: what fits, in which shape it is handed on, and the sentence for what does not. */
export const Variables = z.object({
  PORT: z._default(wholeNumber('PORT', 65_535), 8080),
  HOST: z._default(
    variable(isHost, 'Set HOST to an address or name of this machine, such as 127.0.0.1 or 0.0.0.0.'),
    '127.0.0.1',
  ),
  PUBLIC_URL: z.optional(
    z.pipe(
      variable(
        isPublicUrl,
        'Set PUBLIC_URL to an origin without a path: https://desk.example.com, or http://localhost:8080 for this machine alone.',
      ),
      z.transform((text: string) => new URL(text).origin),
    ),
  ),
  TRUSTED_PROXIES: z._default(
    z.pipe(
      variable(
        (text) => listOf(text).every(isTrustable),
        'Set TRUSTED_PROXIES to addresses or ranges with commas between them, such as 10.0.0.0/8, 192.0.2.1.',
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
      (text) => text.length >= passwordLength.least && text.length <= passwordLength.most,
      `Set MANAGER_PASSWORD to ${passwordLength.least} to ${passwordLength.most} characters.`,
    ),
  ),
  JOURNAL_DAYS: z._default(wholeNumber('JOURNAL_DAYS', 36_500, 1), 400),
  ...upstreamVariables,
  ...openIdVariables,
  METRICS_TOKEN: z.optional(
    variable(
      (text) => /^[\w.~+/=-]{16,}$/.test(text),
      'Set METRICS_TOKEN to at least 16 letters, digits or signs of - . _ ~ + / =, such as `openssl rand -hex 32` gives.',
    ),
  ),
  SERVICE_PORT: z._default(wholeNumber('SERVICE_PORT', 65_535), 8081),
  ...serviceVariables,
  LOG_LEVEL: z._default(z.enum(logLevels, `Set LOG_LEVEL to one of: ${logLevels.join(', ')}.`), 'info'),
});

/** A variable's values, checked. */
export type Values = z.infer<typeof Variables>;

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

/** `a, b` → `['a', 'b']`; nothing at all is no element. */
function listOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text);
}

function isPublicUrl(text: string): boolean {
  // As text first: parsing would drop a `/.` and hide a user's name.
  const url = /^https?:\/\/[^/?#@\s\\]+\/?$/i.test(text) ? URL.parse(text) : null;
  // A URL's host may hold signs such as `*` that no name of a machine has.
  if (url === null || !/^(\[[\da-f:]+\]|[\w.-]+)$/.test(url.hostname)) return false;
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    // A password that is not percent-encoded may have cut the address: then the name that is left is none.
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
