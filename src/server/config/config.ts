import { isIP } from 'node:net';
import { CannotStart } from '../cannot-start.ts';
import { isLoopback } from '../http/client-address.ts';
import {
  findMissing,
  openIdFrom,
  readDialect,
  upstreamFrom,
  type ConfiguredClient,
  type OpenIdConfig,
  type UpstreamConfig,
} from './connections.ts';
import { readTexts, Variables, type Environment, type logLevels, type Values } from './variables.ts';

/** `npm start` and `npm run desk`, or `npm run service`. */
export type Program = 'server' | 'service';

/**
 * The checked environment. `publicUrl` is null if it follows from host and port, `managerPassword` if it is generated.
 */
export interface Config {
  port: number;
  host: string;
  publicUrl: string | null;
  /** Addresses and CIDR ranges. */
  trustedProxies: readonly string[];
  dataDir: string;
  /** PostgreSQL for the BFF's tables and for the embedded service's; null for SQLite files in `dataDir`. */
  databaseUrl: string | null;
  serviceDatabaseUrl: string | null;
  sampleSubscribers: number;
  managerPassword: string | null;
  /** How long the journal is kept, in days. */
  journalDays: number;
  /** The service elsewhere; null for the embedded service. */
  upstream: UpstreamConfig | null;
  /** The OpenID provider; null if there are only local accounts. */
  openId: OpenIdConfig | null;
  logLevel: (typeof logLevels)[number];
  /** The token that opens `/metrics`; null if there are no metrics. */
  metricsToken: string | null;
  /** The service that runs alone. Its address is null if it follows from host and port. */
  service: { port: number; url: string | null; clients: readonly ConfiguredClient[] };
}

/**
 * Reads the environment.
 *
 * @param readFile reads the file that a variable such as `MANAGER_PASSWORD_FILE` names
 * @param program what runs: the server of `npm start`, or the service alone
 * @throws {CannotStart} with one sentence for each wrong variable, all at once
 */
export function readConfig(
  env: Environment,
  readFile: (path: string) => string,
  program: Program = 'server',
): Config {
  const errors: string[] = [];
  const read = Variables.safeParse(readTexts(env, readFile, errors));
  if (!read.success) errors.push(...read.error.issues.map((issue) => issue.message));
  else errors.push(...(program === 'server' ? findConflicts(read.data) : findServiceConflicts(read.data)));
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
    sampleSubscribers: data.SAMPLE_SUBSCRIBERS ?? defaultSamples(data),
    managerPassword: data.MANAGER_PASSWORD ?? null,
    journalDays: data.JOURNAL_DAYS,
    upstream: upstreamFrom(data, dialect),
    openId: openIdFrom(data),
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

/** A database on a server may be for real subscribers, so it gets samples only on request. */
const defaultSamples = ({ SERVICE_DATABASE_URL }: Values) => (SERVICE_DATABASE_URL === undefined ? 2000 : 0);

/** Finds values that are valid alone, but not together. */
function findConflicts(data: Values): string[] {
  const errors = findMissing(data);
  if (data.PUBLIC_URL === undefined && !isLoopback(data.HOST))
    errors.push(
      'Set PUBLIC_URL to the address that browsers use, such as https://desk.example.com. It is needed because HOST is not a loopback address.',
    );
  if (data.SAMPLE_SUBSCRIBERS && data.UPSTREAM_URL !== undefined)
    errors.push('Remove SAMPLE_SUBSCRIBERS or UPSTREAM_URL: samples are only for the embedded service.');
  if (data.SERVICE_DATABASE_URL !== undefined && data.UPSTREAM_URL !== undefined)
    errors.push('Remove SERVICE_DATABASE_URL or UPSTREAM_URL: a service elsewhere has its own database.');
  return errors;
}

/** All replicas of a service sign tokens for one address, which cannot be a loopback address. */
function findServiceConflicts({ HOST, SERVICE_URL }: Values): string[] {
  if (SERVICE_URL !== undefined || isLoopback(HOST)) return [];
  return [
    'Set SERVICE_URL to the base address that API clients use, such as https://subscribers.example.com. It is needed because HOST is not a loopback address.',
  ];
}
