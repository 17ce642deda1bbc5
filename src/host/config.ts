import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { newPasswordLength as passwordLength } from '../contract/password.ts';
import { CannotStart } from './cannot-start.ts';
import { isTrustable } from './client-address.ts';
import { isLoopback } from './is-loopback.ts';
import { openIdGaps, openIdOf, openIdVariables, type OpenIdConfig } from './openid-config.ts';
import { readDialect } from './read-dialect.ts';
import { readSecret, type Environment } from './read-secret.ts';
import { serviceVariables, type GivenClient } from './service-config.ts';
import { upstreamGaps, upstreamOf, upstreamVariables, type UpstreamConfig } from './upstream-config.ts';

export const logLevels = ['info', 'warn', 'error'] as const;

/** The environment, checked. `publicUrl` is null where it follows from the host and port, `managerPassword` where it is generated. */
export interface Config {
  port: number;
  host: string;
  publicUrl: string | null;
  /** Addresses and CIDR ranges. */
  trustedProxies: readonly string[];
  dataDir: string;
  /** PostgreSQL for the desk's own tables and for the embedded service's; null for SQLite files in `dataDir`. */
  databaseUrl: string | null;
  serviceDatabaseUrl: string | null;
  sampleSubscribers: number;
  managerPassword: string | null;
  /** How long the journal is kept. */
  journalDays: number;
  /** The service elsewhere, in the place of the embedded one. */
  upstream: UpstreamConfig | null;
  /** The OpenID provider; null where there are only local accounts. */
  openId: OpenIdConfig | null;
  logLevel: (typeof logLevels)[number];
  /** What `/metrics` is read with; null where nobody reads it. */
  metricsToken: string | null;
  /** The service by itself; its address is null where it follows from the host and port. */
  service: { port: number; url: string | null; clients: readonly GivenClient[] };
}

/**
 * Reads the environment.
 *
 * @param readFile reads the file that a variable such as `MANAGER_PASSWORD_FILE` names
 * @param room what is to run: the desk, or the service by itself
 * @throws {CannotStart} one sentence for every variable at fault, all at once
 */
export function readConfig(
  env: Environment,
  readFile: (path: string) => string,
  room: 'desk' | 'service' = 'desk',
): Config {
  const errors: string[] = [];
  const given: Record<string, string | undefined> = {};
  for (const name of variableNames) given[name] = env[name];
  for (const name of secretNames) given[name] = readSecret(name, env, readFile, errors);
  const read = Variables.safeParse(given);
  if (!read.success) errors.push(...read.error.issues.map((issue) => issue.message));
  else errors.push(...(room === 'desk' ? clashes(read.data) : serviceGaps(read.data)));
  const dialectPath = env['UPSTREAM_DIALECT'];
  const dialect = dialectPath ? readDialect(dialectPath, readFile, errors) : null;
  if (!read.success || errors.length > 0) throw new CannotStart(errors);
  const { data } = read;
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL ?? null,
    trustedProxies: data.TRUSTED_PROXIES,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL ?? null,
    serviceDatabaseUrl: data.SERVICE_DATABASE_URL ?? null,
    sampleSubscribers: data.SAMPLE_SUBSCRIBERS ?? usualSamples(data),
    managerPassword: data.MANAGER_PASSWORD ?? null,
    journalDays: data.JOURNAL_DAYS,
    upstream: upstreamOf(data, dialect),
    openId: openIdOf(data),
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN ?? null,
    service: { port: data.SERVICE_PORT, url: data.SERVICE_URL ?? null, clients: data.SERVICE_CLIENTS },
  };
}

/** The origin that browsers use, once the port is known (`PORT=0` takes any free one). */
export function publicUrlAt(config: Config, port: number): string {
  return config.publicUrl ?? originAt(config.host, port);
}

/** The base address that API clients of the service use, once the port is known. */
export function serviceUrlAt(config: Config, port: number): string {
  return config.service.url ?? originAt(config.host, port);
}

function originAt(host: string, port: number): string {
  return new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).origin;
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

const Variables = z.object({
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

/** A database on a server may be about to get real subscribers: samples only where somebody asks for them. */
const usualSamples = ({ SERVICE_DATABASE_URL }: z.infer<typeof Variables>) =>
  SERVICE_DATABASE_URL === undefined ? 2000 : 0;

/** `a, b` → `['a', 'b']`; nothing at all is no element. */
function listOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
}

/** What is wrong with values that are right one by one. */
function clashes(data: z.infer<typeof Variables>): string[] {
  const errors = [...upstreamGaps(data), ...openIdGaps(data)];
  if (data.PUBLIC_URL === undefined && !isLoopback(data.HOST))
    errors.push(
      'Set PUBLIC_URL to the address that browsers use, such as https://desk.example.com: HOST is no loopback address.',
    );
  if (data.SAMPLE_SUBSCRIBERS && data.UPSTREAM_URL !== undefined)
    errors.push('Remove SAMPLE_SUBSCRIBERS: nothing is made up in a service elsewhere.');
  if (data.SERVICE_DATABASE_URL !== undefined && data.UPSTREAM_URL !== undefined)
    errors.push('Remove SERVICE_DATABASE_URL: a service elsewhere has its own database.');
  return errors;
}

/** All replicas of a service sign for one address, which the one of a single machine cannot be. */
function serviceGaps({ HOST, SERVICE_URL }: z.infer<typeof Variables>): string[] {
  if (SERVICE_URL !== undefined || isLoopback(HOST)) return [];
  return [
    'Set SERVICE_URL to the base address that API clients use, such as https://subscribers.example.com: HOST is no loopback address.',
  ];
}

/** Every variable that is read. One of `secretNames` can also come from the file that `NAME_FILE` names. */
export const variableNames = Object.keys(Variables.shape);
export const secretNames = [
  'MANAGER_PASSWORD',
  'UPSTREAM_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
  'DATABASE_URL',
  'SERVICE_DATABASE_URL',
  'METRICS_TOKEN',
  'SERVICE_CLIENTS',
] as const;

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
