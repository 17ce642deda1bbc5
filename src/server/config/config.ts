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
  /** Where people learn how a status is set; null for the usual sentence. */
  statusHelp: string | null;
  /** What the form proposes for a trial. */
  trialDays: number;
  /** Who has to have a second factor; null: nobody. */
  requireSecondFactor: 'managers' | 'all' | null;
  /** Makes the playlist addresses that staff copy; null if they are offered none. */
  playlistUrlTemplate: string | null;
  /** What one account may read for any length of time; 0 for as much as it asks for. */
  readsPerSecond: number;
  /** How long the journal is kept, in days. */
  journalDays: number;
  /** The key of the journal's chain that is kept outside the database; null for the database's own. */
  journalKey: string | null;
  /** The service elsewhere; null for the embedded service. */
  upstream: UpstreamConfig | null;
  /** The OpenID provider; null if there are only local accounts. */
  openId: OpenIdConfig | null;
  logLevel: (typeof logLevels)[number];
  /** The token that opens `/metrics`; null if there are no metrics. */
  metricsToken: string | null;
  /** Where traces are sent; the SDK reads the address from the environment. Null if none are recorded. */
  collector: { headers: Record<string, string> } | null;
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
    statusHelp: data.STATUS_HELP?.trim() ?? null,
    trialDays: data.TRIAL_DAYS,
    requireSecondFactor: data.REQUIRE_SECOND_FACTOR ?? null,
    playlistUrlTemplate: data.PLAYLIST_URL_TEMPLATE ?? null,
    readsPerSecond: data.READS_PER_SECOND,
    journalDays: data.JOURNAL_DAYS,
    journalKey: data.JOURNAL_KEY ?? null,
    upstream: upstreamFrom(data, dialect),
    openId: openIdFrom(data),
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN ?? null,
    collector:
      data.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : { headers: data.OTEL_EXPORTER_OTLP_HEADERS },
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

/** Where the database is on a server or people come from elsewhere, real subscribers may follow: no samples unless asked for. */
const defaultSamples = ({ SERVICE_DATABASE_URL, PUBLIC_URL }: Values) =>
  SERVICE_DATABASE_URL === undefined && isLocal(PUBLIC_URL) ? 2000 : 0;

const isLocal = (url: string | undefined) => url === undefined || isLoopback(new URL(url).hostname);

/** Connections to other machines that would send secrets and personal data readable on the way. */
function findPlainConnections(data: Values, databases: readonly (keyof Values)[]): string[] {
  const errors: string[] = [];
  const { UPSTREAM_URL: upstream } = data;
  if (upstream?.startsWith('http:') && !isLocal(upstream) && data.ALLOW_PLAIN_HTTP !== 'true')
    errors.push(
      'Set UPSTREAM_URL to an https address: with http, others on the network can read the client secret. If you trust the network, set ALLOW_PLAIN_HTTP=true.',
    );
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_HEADERS: headers } = data;
  const hasKey = Object.keys(headers).length > 0;
  if (collector?.startsWith('http:') && hasKey && !isLocal(collector) && data.ALLOW_PLAIN_HTTP !== 'true')
    errors.push(
      'Set OTEL_EXPORTER_OTLP_ENDPOINT to an https address: with http, others on the network can read the headers. If you trust the network, set ALLOW_PLAIN_HTTP=true.',
    );
  for (const name of databases) {
    const url = data[name];
    if (typeof url === 'string' && !isLocalDatabase(new URL(url)))
      errors.push(
        `Add ?sslmode=verify-full to ${name}: without it, others on the network can read the data. If you trust the network, add ?sslmode=disable.`,
      );
  }
  return errors;
}

/** Whether a database is on this machine, also by a socket file, or its address says whether to encrypt. */
function isLocalDatabase({ hostname, searchParams }: URL): boolean {
  // The driver takes the last one as well.
  const host = searchParams.getAll('host').at(-1) ?? decodeURIComponent(hostname);
  const isSaid = sslModes.includes(searchParams.getAll('sslmode').at(-1) ?? '');
  return host === '' || host.startsWith('/') || isLoopback(host) || isSaid;
}

/** The values that the driver knows; any other would be no encryption. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

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
  return [...errors, ...findPlainConnections(data, ['DATABASE_URL', 'SERVICE_DATABASE_URL'])];
}

/** All replicas of a service sign tokens for one address, which cannot be a loopback address. */
function findServiceConflicts(data: Values): string[] {
  const plain = findPlainConnections({ ...data, UPSTREAM_URL: undefined }, ['SERVICE_DATABASE_URL']);
  if (data.SERVICE_URL !== undefined || isLoopback(data.HOST)) return plain;
  return [
    ...plain,
    'Set SERVICE_URL to the base address that API clients use, such as https://subscribers.example.com. It is needed because HOST is not a loopback address.',
  ];
}
