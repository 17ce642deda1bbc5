import { isIP } from 'node:net';
import { CannotStart } from '../cannot-start.ts';
import { Variables, type logLevels, type Values } from './config-variables.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { openIdGaps, openIdOf, type OpenIdConfig } from './openid-config.ts';
import { readDialect } from './read-dialect.ts';
import { readSecret, type Environment } from './read-secret.ts';
import type { GivenClient } from './service-config.ts';
import { upstreamGaps, upstreamOf, type UpstreamConfig } from './upstream-config.ts';

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

/** A database on a server may be about to get real subscribers: samples only where somebody asks for them. */
const usualSamples = ({ SERVICE_DATABASE_URL }: Values) => (SERVICE_DATABASE_URL === undefined ? 2000 : 0);

/** What is wrong with values that are right one by one. */
function clashes(data: Values): string[] {
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
function serviceGaps({ HOST, SERVICE_URL }: Values): string[] {
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
