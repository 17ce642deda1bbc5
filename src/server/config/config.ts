import { isIP } from 'node:net';
import type * as z from 'zod/mini';
import type { SingleSignOn } from '../../bff/http/bff.ts';
import { Dialect } from '../../bff/upstream/dialect/shape.ts';
import { fieldErrors } from '../../contract/http/problem.ts';
import { CannotStart } from '../cannot-start.ts';
import { isLoopback } from '../http/client-address.ts';
import { secretNames, variableNames, Variables } from './variables.ts';

/** `npm start` and `npm run desk`, or `npm run service`. */
export type Program = 'server' | 'service';

type Values = z.infer<typeof Variables>;

/** A service elsewhere, and how the BFF signs in there. */
export interface UpstreamConfig {
  /** The address that its paths are appended to, without a slash at its end. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** The names that the service has for the scopes. */
  scopes: { read: string; write: string };
  /** Differences of the service from the contract; null if there are none. */
  dialect: Dialect | null;
}

/** The checked environment, under the names of its variables. */
export interface Config extends Values {
  SAMPLE_SUBSCRIBERS: number;
  /** The service elsewhere; null for the embedded service. */
  upstream: UpstreamConfig | null;
  /** The OpenID provider; null if there are only local accounts. */
  openId: Omit<SingleSignOn, 'fetch' | 'tokenKey'> | null;
}

type ReadFile = (path: string) => string;

/**
 * Reads the environment.
 *
 * @param readFile reads the file that a variable such as `MANAGER_PASSWORD_FILE` names
 * @param program the server of `npm start`, or the service alone
 * @throws {CannotStart} with one sentence for each wrong variable, all at once
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: ReadFile,
  program: Program = 'server',
): Config {
  const errors: string[] = [];
  const texts = readTexts(env, readFile, errors);
  const read = Variables.safeParse(texts);
  const faults = (read.error?.issues ?? []).map(({ path, message }) => ({ name: path.join(), message }));
  errors.push(...faults.map(({ name, message }) => `Set ${name} to ${message}.`));
  const unread = secretNames.filter((name) => env[`${name}_FILE`] !== undefined && texts[name] === undefined);
  const wrong: readonly string[] = [...faults.map(({ name }) => name), ...unread];
  // What is set wrongly is not missing, and the others are checked together all the same.
  const others = Variables.safeParse({
    ...texts,
    ...Object.fromEntries(wrong.map((name) => [name, undefined])),
  });
  if (others.success) errors.push(...findConflicts(others.data, program, wrong));
  const dialectPath = env['UPSTREAM_DIALECT'];
  const dialect = dialectPath ? readDialect(dialectPath, readFile, errors) : null;
  if (!read.success || errors.length > 0) throw new CannotStart(errors);
  const { data } = read;
  return {
    ...data,
    SAMPLE_SUBSCRIBERS: data.SAMPLE_SUBSCRIBERS ?? defaultSamples(data),
    upstream: upstreamFrom(data, dialect),
    openId: openIdFrom(data),
  };
}

/** The address that a server of pages listens at. */
export const addressOf = ({ PORT, HOST, PUBLIC_URL, TRUSTED_PROXIES }: Config) => ({
  port: PORT,
  host: HOST,
  publicUrl: PUBLIC_URL,
  trustedProxies: TRUSTED_PROXIES,
});

/** The origin that browsers use, once the port is known (`PORT=0` takes any free one). */
export function publicUrlAt({ PUBLIC_URL, HOST }: Config, port: number): string {
  return PUBLIC_URL ?? originAt(HOST, port);
}

/** The base address that API clients of the service use, once the port is known. */
export function serviceUrlAt({ SERVICE_URL, HOST }: Config, port: number): string {
  return SERVICE_URL ?? originAt(HOST, port);
}

function originAt(host: string, port: number): string {
  return new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).origin;
}

/** The text of each variable, from the environment or, for secrets, from the file in `NAME_FILE`. */
function readTexts(
  env: Readonly<Record<string, string | undefined>>,
  readFile: ReadFile,
  errors: string[],
): Record<string, string | undefined> {
  const texts = Object.fromEntries(variableNames.map((name) => [name, env[name]]));
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

/** Where the database is on a server or people come from elsewhere, real subscribers may follow: no samples unless asked for. */
const defaultSamples = ({ SERVICE_DATABASE_URL, PUBLIC_URL, SERVICE_URL }: Values) =>
  SERVICE_DATABASE_URL === undefined && isLocal(PUBLIC_URL) && isLocal(SERVICE_URL) ? 2000 : 0;

const isLocal = (url: string | undefined) => url === undefined || isLoopback(new URL(url).hostname);

/**
 * A sentence for each rule about several variables that is broken.
 *
 * @param wrong names of variables that have no value, because theirs is wrong
 */
function findConflicts(values: Values, program: Program, wrong: readonly string[]): string[] {
  const isOpen = !isLoopback(values.HOST);
  const isMissing = (name: keyof Values) => values[name] === undefined && !wrong.includes(name);
  const forServer: [isBroken: boolean, sentence: string][] = [
    [
      isOpen && isMissing('PUBLIC_URL'),
      'Set PUBLIC_URL to the address that browsers use, such as https://desk.example.com. It is needed because HOST is not a loopback address.',
    ],
    [
      Boolean(values.SAMPLE_SUBSCRIBERS) && values.UPSTREAM_URL !== undefined,
      'Remove SAMPLE_SUBSCRIBERS or UPSTREAM_URL: samples are only for the embedded service.',
    ],
    [
      values.SERVICE_DATABASE_URL !== undefined && values.UPSTREAM_URL !== undefined,
      'Remove SERVICE_DATABASE_URL or UPSTREAM_URL: a service elsewhere has its own database.',
    ],
    [
      isPlain(values, values.UPSTREAM_URL),
      'Set UPSTREAM_URL to an https address: with http, others on the network can read the client secret. If you trust the network, set ALLOW_PLAIN_HTTP=true.',
    ],
    [isUnencrypted(values.DATABASE_URL), encryptionAdvice('DATABASE_URL')],
  ];
  const forService: typeof forServer = [
    [
      // All replicas of a service sign tokens for one address, which cannot be a loopback address.
      isOpen && isMissing('SERVICE_URL'),
      'Set SERVICE_URL to the base address that API clients use, such as https://subscribers.example.com. It is needed because HOST is not a loopback address.',
    ],
  ];
  const forBoth: typeof forServer = [
    [isUnencrypted(values.SERVICE_DATABASE_URL), encryptionAdvice('SERVICE_DATABASE_URL')],
    [
      Object.keys(values.OTEL_EXPORTER_OTLP_HEADERS).length > 0 &&
        isPlain(values, values.OTEL_EXPORTER_OTLP_ENDPOINT),
      'Set OTEL_EXPORTER_OTLP_ENDPOINT to an https address: with http, others on the network can read the headers. If you trust the network, set ALLOW_PLAIN_HTTP=true.',
    ],
  ];
  const rules = [...(program === 'server' ? forServer : forService), ...forBoth];
  return [
    ...(program === 'server' ? groups.flatMap((group) => findMissing(isMissing, group)) : []),
    ...rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence),
  ];
}

/** True if the way to an address shows secrets to others on the network, and that is not allowed. */
function isPlain({ ALLOW_PLAIN_HTTP }: Values, url: string | undefined): boolean {
  return url?.startsWith('http:') === true && !isLocal(url) && ALLOW_PLAIN_HTTP !== 'true';
}

/** False for a database on this machine, also by a socket file, and for an address that says how to encrypt. */
function isUnencrypted(databaseUrl: string | undefined): boolean {
  if (databaseUrl === undefined) return false;
  const { hostname, searchParams } = new URL(databaseUrl);
  // The driver takes the last one as well.
  const host = searchParams.getAll('host').at(-1) ?? decodeURIComponent(hostname);
  const hasMode = sslModes.includes(searchParams.getAll('sslmode').at(-1) ?? '');
  return !(host === '' || host.startsWith('/') || isLoopback(host) || hasMode);
}

/** The values that the driver knows; any other would be no encryption. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

const encryptionAdvice = (name: string) =>
  `Add ?sslmode=verify-full to ${name}: without it, others on the network can read the data. If you trust the network, add ?sslmode=disable.`;

interface Group {
  purpose: string;
  required: readonly (keyof Values)[];
  optional: readonly (keyof Values)[];
}

/** Variables that belong together: the required ones are set if any of the group is. */
const groups: readonly Group[] = [
  {
    purpose: 'a service elsewhere',
    required: [
      'UPSTREAM_URL',
      'UPSTREAM_CLIENT_ID',
      'UPSTREAM_CLIENT_SECRET',
      'UPSTREAM_SCOPE_READ',
      'UPSTREAM_SCOPE_WRITE',
    ],
    optional: ['UPSTREAM_DIALECT'],
  },
  {
    purpose: 'single sign-on',
    required: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    optional: ['OIDC_ROLE_CLAIM', 'OIDC_SCOPE'],
  },
];

function findMissing(
  isMissing: (name: keyof Values) => boolean,
  { purpose, required, optional }: Group,
): string[] {
  if ([...required, ...optional].every(isMissing)) return [];
  return required
    .filter(isMissing)
    .map((name) => `Set ${name} as well: ${purpose} needs all of ${required.join(', ')}.`);
}

function upstreamFrom(values: Values, dialect: Dialect | null): UpstreamConfig | null {
  const { UPSTREAM_URL: url, UPSTREAM_CLIENT_ID: clientId, UPSTREAM_CLIENT_SECRET: clientSecret } = values;
  const { UPSTREAM_SCOPE_READ: read, UPSTREAM_SCOPE_WRITE: write } = values;
  if (!url || !clientId || !clientSecret || !read || !write) return null;
  return { url, clientId, clientSecret, scopes: { read, write }, dialect };
}

function openIdFrom(values: Values): Config['openId'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (!issuer || !clientId || !clientSecret) return null;
  // Entra ID calls the claim `roles`, and so do others by default.
  const { OIDC_ROLE_CLAIM: roleClaim = 'roles', OIDC_SCOPE: scope } = values;
  return { issuer, clientId, clientSecret, roleClaim, ...(scope !== undefined && { scope }) };
}

/** The dialect in the file of UPSTREAM_DIALECT; null if it cannot be used, with a sentence for each fault in `errors`. */
function readDialect(path: string, readFile: ReadFile, errors: string[]): Dialect | null {
  let content: string;
  try {
    content = readFile(path);
  } catch {
    errors.push('Set UPSTREAM_DIALECT to a file that this program can read.');
    return null;
  }
  try {
    const read = Dialect.safeParse(JSON.parse(content));
    if (read.success) return read.data;
    for (const [field, sentences] of Object.entries(fieldErrors(read.error.issues))) {
      const name = field === 'body' ? 'the whole file' : field;
      errors.push(...sentences.map((sentence) => `In ${path}, ${name}: ${sentence}`));
    }
  } catch {
    errors.push(`${path} is not valid JSON. Correct it; check commas and quotation marks first.`);
  }
  return null;
}
