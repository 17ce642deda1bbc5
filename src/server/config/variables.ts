import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { newPasswordFault, newPasswordLength as passwordLength } from '../../contract/bff/password.ts';
import { isPlaylistTemplate } from '../../contract/bff/access-token.ts';
import { isPlainText } from '../../contract/http/plain-text.ts';
import { isVisible, movesText } from '../../contract/http/text.ts';
import { scopes, type Scope } from '../../contract/service/token.ts';
import { embeddedClientId } from '../embedded-service.ts';
import { isLoopback, isTrustable } from '../http/client-address.ts';

/** The name of the account that the first start creates. */
export const firstAccountName = 'manager';

export const logLevels = ['info', 'warn', 'error'] as const;

const postgresExample = 'an address such as postgres://user:password@host:5432/database';
const scopeExample = 'the scope that the service requires. Put one space between several scopes';

/**
 * Every environment variable: which texts are valid, and what they become. The message of an invalid one ends the
 * sentence "Set NAME to …".
 */
export const Variables = z.object({
  PORT: z._default(wholeNumber(65_535), 8080),
  HOST: z._default(
    text(isHost, 'an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0'),
    '127.0.0.1',
  ),
  PUBLIC_URL: z.optional(
    parsed(
      (value) => (isPublicUrl(value) ? new URL(value).origin : null),
      'an address without a path, such as https://desk.example.com. Use http:// only for this machine, such as http://localhost:8080',
    ),
  ),
  TRUSTED_PROXIES: z._default(
    parsed((value) => {
      const proxies = listOf(value);
      return proxies.every(isTrustable) ? proxies : null;
    }, 'addresses or ranges, separated by commas, such as 10.0.0.0/8, 192.0.2.1'),
    [],
  ),
  DATA_DIR: z._default(
    text((value) => value.trim() !== '' && !value.includes('\0'), 'a folder, such as ./data'),
    './data',
  ),
  DATABASE_URL: z.optional(text(isPostgresUrl, postgresExample)),
  SERVICE_DATABASE_URL: z.optional(text(isPostgresUrl, postgresExample)),
  SAMPLE_SUBSCRIBERS: z.optional(wholeNumber(1_000_000)),
  MANAGER_PASSWORD: z.optional(
    text(
      (value) => newPasswordFault(value, firstAccountName) === null,
      `a password of ${passwordLength.least} to ${passwordLength.most} characters that is hard to guess, not close to the name ${firstAccountName}`,
    ),
  ),
  JOURNAL_DAYS: z._default(wholeNumber(36_500, 1), 400),
  JOURNAL_KEY: z.optional(
    text(
      // The last letter has no bits that the bytes do not have, so each key is written in one way.
      (value) => /^[\w-]{42}[AEIMQUYcgkosw048]$/.test(value),
      "32 random bytes in base64url, 43 signs, for example with openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
    ),
  ),
  STATUS_HELP: z.optional(
    parsed(
      (value) =>
        value.length <= 200 && isPlainText(value) && isVisible(value) && !movesText(value)
          ? value.trim()
          : null,
      'one line of 1 to 200 visible characters, such as Status is set in the billing system',
    ),
  ),
  REQUIRE_SECOND_FACTOR: z.optional(
    z.enum(['managers', 'all'], 'managers or all, or leave it out: then nobody has to have a second factor'),
  ),
  TRIAL_DAYS: z._default(wholeNumber(365, 1), 7),
  PLAYLIST_URL_TEMPLATE: z.optional(
    text(
      isPlaylistTemplate,
      'an https address with {token}, and {username} if it is needed, such as https://tv.example.com/playlist/{token}.m3u8',
    ),
  ),
  /** 0: no limit. */
  READS_PER_SECOND: z._default(wholeNumber(1_000_000), 20),
  ALLOW_PLAIN_HTTP: z.optional(z.enum(['true', 'false'], 'true or false')),
  UPSTREAM_URL: z.optional(
    baseUrl(
      'the base address of the subscriber service without a query, such as https://subscribers.example.com/v1',
    ),
  ),
  UPSTREAM_CLIENT_ID: z.optional(text(isFilled, 'the client ID that the subscriber service gave you')),
  UPSTREAM_CLIENT_SECRET: z.optional(
    text(isFilled, 'the client secret that the subscriber service gave you'),
  ),
  UPSTREAM_SCOPE_READ: z.optional(text(isScopeList, scopeExample)),
  UPSTREAM_SCOPE_WRITE: z.optional(text(isScopeList, scopeExample)),
  UPSTREAM_DIALECT: z.optional(text(isFilled, 'the path of a JSON file, such as ./dialect.json')),
  OIDC_ISSUER: z.optional(
    text(
      (value) => isBaseUrl(value) && isHttpsOrLoopback(new URL(value)),
      'the issuer of the OpenID provider without a query, such as https://id.example.com/realms/staff. Use http:// only for this machine',
    ),
  ),
  OIDC_CLIENT_ID: z.optional(text(isFilled, 'the client ID that the OpenID provider gave you')),
  OIDC_CLIENT_SECRET: z.optional(text(isFilled, 'the client secret that the OpenID provider gave you')),
  OIDC_ROLE_CLAIM: z.optional(
    text(isFilled, 'the claim that contains the role, such as roles or realm_access.roles'),
  ),
  OIDC_SCOPE: z.optional(
    text(
      // Without `openid` it is not an OpenID request (OpenID Connect Core section 3.1.2.1).
      (value) => isScopeList(value) && value.split(' ').includes('openid'),
      'the scopes to request, such as openid profile groups. Include openid, and put one space between scopes',
    ),
  ),
  METRICS_TOKEN: z.optional(
    text(
      (value) => /^[\w.~+/=-]{16,}$/.test(value),
      'at least 16 letters, digits or the signs - . _ ~ + / =, for example with openssl rand -hex 32',
    ),
  ),
  // The SDK reads these three and more by itself; here they are only checked.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(
    text(isBaseUrl, 'the base address of an OTLP collector without a query, such as http://localhost:4318'),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: z._default(
    parsed(
      readHeaders,
      'name=value, separated by commas, such as x-api-key=KEY. Percent-encode special characters',
    ),
    {},
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.optional(
    text(
      (value) => value !== 'grpc',
      'http/json, or leave it out: traces are sent over HTTP, usually to port 4318',
    ),
  ),
  SERVICE_PORT: z._default(wholeNumber(65_535), 8081),
  SERVICE_URL: z.optional(
    baseUrl(
      'the base address that API clients use without a query, such as https://subscribers.example.com/v1',
    ),
  ),
  SERVICE_CLIENTS: z._default(
    parsed(
      readClients,
      `id:secret:scopes for each API client, separated by commas, such as crm:SECRET:${scopes.join(' ')}. A secret has at least 32 characters and no colon or comma. To give a client two secrets, list it twice. The ID ${embeddedClientId} is the dashboard's`,
    ),
    [],
  ),
  LOG_LEVEL: z._default(z.enum(logLevels, `one of: ${logLevels.join(', ')}`), 'info'),
});

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

function text(fits: (value: string) => boolean, description: string) {
  return z.string().check(z.refine(fits, description));
}

/** A text that `read` turns into the variable's value, or into null where it does not fit. */
function parsed<T>(read: (value: string) => T | null, description: string) {
  return z.pipe(
    z.string(),
    z.transform((value: string, { issues }): T => {
      const result = read(value);
      if (result !== null) return result;
      issues.push({ code: 'custom', message: description, input: value });
      return z.NEVER;
    }),
  );
}

function wholeNumber(most: number, least = 0) {
  return parsed((value) => {
    const fits = /^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most;
    return fits ? Number(value) : null;
  }, `a whole number from ${least} to ${most}`);
}

/** An address that paths are appended to. It becomes one without a slash at its end. */
function baseUrl(description: string) {
  return parsed((value) => (isBaseUrl(value) ? value.replace(/\/+$/, '') : null), description);
}

/** `a, b` → `['a', 'b']`; an empty text → `[]`. */
function listOf(value: string): string[] {
  return value.trim() === '' ? [] : value.split(',').map((part) => part.trim());
}

function isHost(value: string): boolean {
  return isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value);
}

function isPublicUrl(value: string): boolean {
  // Checks the text first, because parsing would drop a `/.` and hide a user name.
  const url = /^https?:\/\/[^/?#@\s\\]+\/?$/i.test(value) ? URL.parse(value) : null;
  // A URL's host can contain signs such as `*` that a machine's name cannot.
  return url !== null && /^(\[[\da-f:]+\]|[\w.-]+)$/.test(url.hostname) && isHttpsOrLoopback(url);
}

function isBaseUrl(value: string): boolean {
  return /^https?:\/\/[^?#@\s\\]+$/i.test(value) && !/\/\.{1,2}(\/|$)/.test(value) && URL.canParse(value);
}

function isHttpsOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}

function isPostgresUrl(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    // A password that is not percent-encoded may have cut the address short. Then this is not a database name.
    /^\/[^/@]+$/.test(url.pathname) &&
    [url.username, url.password, url.pathname].every(isDecodable)
  );
}

function isDecodable(value: string): boolean {
  try {
    return !decodeURIComponent(value).includes('\0');
  } catch {
    return false;
  }
}

function isFilled(value: string): boolean {
  return value.trim() !== '' && !/\p{Cc}/u.test(value);
}

/** RFC 6749 section 3.3. */
function isScopeList(value: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value);
}

/** An API client that the environment names. */
interface ConfiguredClient {
  id: string;
  secrets: readonly string[];
  scopes: readonly Scope[];
}

/** Reads clients such as `crm:SECRET:a b, other:SECRET:a`; null if the text has another form. */
function readClients(value: string): ConfiguredClient[] | null {
  const clients = new Map<string, ConfiguredClient>();
  for (const part of listOf(value)) {
    const client = readClient(part);
    const same = client && clients.get(client.id);
    if (!client || (same && (same.secrets.length > 1 || same.scopes.join() !== client.scopes.join())))
      return null;
    clients.set(client.id, { ...client, secrets: [...(same?.secrets ?? []), ...client.secrets] });
  }
  return [...clients.values()];
}

/** Only the first two colons are separators: a scope contains a colon as well. A digest protects a secret of 32 signs. */
function readClient(value: string): ConfiguredClient | null {
  const [, id = '', secret, rest = ''] = /^([^:]*):([\x21-\x39\x3b-\x7e]{32,}):(.*)$/s.exec(value) ?? [];
  const clientScopes = readScopes(rest.split(/\s+/).filter((name) => name !== ''));
  return secret !== undefined && isClientId(id) && id !== embeddedClientId && clientScopes
    ? { id, secrets: [secret], scopes: clientScopes }
    : null;
}

/** True if an id needs no quotes in a URL, a log or a shell. */
export function isClientId(value: string): boolean {
  return /^[\w.-]{1,64}$/.test(value);
}

/** @returns the scopes with these names; null if there are none or one is unknown */
export function readScopes(names: readonly string[]): Scope[] | null {
  const requested = scopes.filter((one) => names.includes(one));
  return requested.length > 0 && requested.length === new Set(names).size ? requested : null;
}

/** Reads `name=value, name=value`, percent-encoded as in W3C Baggage; null if the text has another form. */
function readHeaders(value: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const part of listOf(value).filter((entry) => entry !== '')) {
    const [, name, encoded = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)$/.exec(part) ?? [];
    if (name === undefined || /%(?![2-6][\da-f]|7[\da-e])/i.test(encoded)) return null;
    headers[name] = decodeURIComponent(encoded);
  }
  return headers;
}
