/** The configuration of connections: a service elsewhere, an OpenID provider, the API clients of the service. */
import * as z from 'zod/mini';
import type { SingleSignOn } from '../../bff/http/bff.ts';
import { Dialect } from '../../bff/upstream/dialect/shape.ts';
import { fieldErrors } from '../../contract/http/problem.ts';
import { scopes, type Scope } from '../../contract/service/token.ts';
import { isLoopback } from '../http/client-address.ts';

/** A service elsewhere, and how the BFF signs in there. */
export interface UpstreamConfig {
  /** What its paths are appended to, without a slash at its end. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** The names that the service has for the scopes. */
  scopes: { read: string; write: string };
  /** How the service differs from the contract; null if it does not. */
  dialect: Dialect | null;
}

/** The OpenID provider, and how the BFF signs in there. */
export type OpenIdConfig = Omit<SingleSignOn, 'fetch' | 'tokenKey'>;

/** An API client that the environment names. */
export interface ConfiguredClient {
  id: string;
  secrets: readonly string[];
  scopes: readonly Scope[];
}

const text = (fits: (value: string) => boolean, sentence: string) =>
  z.optional(z.string().check(z.refine(fits, sentence)));

const scope = (name: string) =>
  text(
    (value) => value.split(' ').every(isScopeName),
    `Set ${name} to the scope that the service requires. Put one space between several scopes.`,
  );

/** The variables of a service elsewhere. All of them are set or none; the dialect is optional. */
export const upstreamVariables = {
  UPSTREAM_URL: text(
    isBaseUrl,
    'Set UPSTREAM_URL to the base address of the subscriber service without a query, such as https://subscribers.example.com/v1.',
  ),
  UPSTREAM_CLIENT_ID: text(
    isFilled,
    'Set UPSTREAM_CLIENT_ID to the client ID that the subscriber service gave you.',
  ),
  UPSTREAM_CLIENT_SECRET: text(
    isFilled,
    'Set UPSTREAM_CLIENT_SECRET to the client secret that the subscriber service gave you.',
  ),
  UPSTREAM_SCOPE_READ: scope('UPSTREAM_SCOPE_READ'),
  UPSTREAM_SCOPE_WRITE: scope('UPSTREAM_SCOPE_WRITE'),
  UPSTREAM_DIALECT: text(
    isFilled,
    'Set UPSTREAM_DIALECT to the path of a JSON file, such as ./dialect.json.',
  ),
};

/** The variables of single sign-on. All of them are set or none; those with a default are optional. */
export const openIdVariables = {
  OIDC_ISSUER: text(
    (value) => isBaseUrl(value) && isHttpsOrLoopback(new URL(value)),
    'Set OIDC_ISSUER to the issuer of the OpenID provider without a query, such as https://id.example.com/realms/staff. Use http:// only for this machine.',
  ),
  OIDC_CLIENT_ID: text(isFilled, 'Set OIDC_CLIENT_ID to the client ID that the OpenID provider gave you.'),
  OIDC_CLIENT_SECRET: text(
    isFilled,
    'Set OIDC_CLIENT_SECRET to the client secret that the OpenID provider gave you.',
  ),
  OIDC_ROLE_CLAIM: text(
    isFilled,
    'Set OIDC_ROLE_CLAIM to the claim that contains the role, such as roles or realm_access.roles.',
  ),
  OIDC_SCOPE: text(
    // Without `openid` it is not an OpenID request (OpenID Connect Core section 3.1.2.1).
    (value) => value.split(' ').every(isScopeName) && value.split(' ').includes('openid'),
    'Set OIDC_SCOPE to the scopes to request, such as openid profile groups. Include openid, and put one space between scopes.',
  ),
};

const wantsClients =
  'Set SERVICE_CLIENTS to id:secret:scopes for each API client, separated by commas, such as ' +
  `crm:SECRET:${scopes.join(' ')}. A secret has at least 32 characters and no colon or comma. To give a client two ` +
  'secrets, list it twice.';

/** The variables that only `npm run service` reads. */
export const serviceVariables = {
  SERVICE_URL: z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            isBaseUrl,
            'Set SERVICE_URL to the base address that API clients use without a query, such as https://subscribers.example.com/v1.',
          ),
        ),
      z.transform(withoutEndSlash),
    ),
  ),
  SERVICE_CLIENTS: z._default(
    z.pipe(
      z.string().check(z.refine((value) => readClients(value) !== null, wantsClients)),
      z.transform((value: string) => readClients(value) ?? []),
    ),
    [],
  ),
};

/** The variables of the collector of traces. The SDK reads these and more by itself; these are checked at the start. */
export const collectorVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    isBaseUrl,
    'Set OTEL_EXPORTER_OTLP_ENDPOINT to the base address of an OTLP collector without a query, such as http://localhost:4318.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: z._default(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            (value) => readHeaders(value) !== null,
            'Set OTEL_EXPORTER_OTLP_HEADERS to name=value, separated by commas, such as x-api-key=KEY. Percent-encode special characters.',
          ),
        ),
      z.transform((value: string) => readHeaders(value) ?? {}),
    ),
    {},
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: text(
    (value) => value !== 'grpc',
    'Set OTEL_EXPORTER_OTLP_PROTOCOL to http/json, or leave it out: traces are sent over HTTP, usually to port 4318.',
  ),
};

type Read<Variables> = { [N in keyof Variables]?: string | undefined };

/** A sentence for each variable that is missing although others of its group are set. */
export function findMissing(read: Read<typeof upstreamVariables> & Read<typeof openIdVariables>): string[] {
  return [
    ...missingOf(read, Object.keys(upstreamVariables), ['UPSTREAM_DIALECT'], 'a service elsewhere'),
    ...missingOf(read, Object.keys(openIdVariables), ['OIDC_ROLE_CLAIM', 'OIDC_SCOPE'], 'single sign-on'),
  ];
}

function missingOf(
  read: Readonly<Record<string, string | undefined>>,
  all: readonly string[],
  optional: readonly string[],
  purpose: string,
): string[] {
  if (all.every((name) => read[name] === undefined)) return [];
  const needed = all.filter((name) => !optional.includes(name));
  return needed
    .filter((name) => read[name] === undefined)
    .map((name) => `Set ${name} as well: ${purpose} needs all of ${needed.join(', ')}.`);
}

/** The service elsewhere; null if none is configured. */
export function upstreamFrom(
  read: Read<typeof upstreamVariables>,
  dialect: Dialect | null,
): UpstreamConfig | null {
  const { UPSTREAM_URL: url, UPSTREAM_CLIENT_ID: clientId, UPSTREAM_CLIENT_SECRET: clientSecret } = read;
  const [readScope, writeScope] = [read.UPSTREAM_SCOPE_READ, read.UPSTREAM_SCOPE_WRITE];
  if (!url || !clientId || !clientSecret || !readScope || !writeScope) return null;
  const scopeNames = { read: readScope, write: writeScope };
  return { url: withoutEndSlash(url), clientId, clientSecret, scopes: scopeNames, dialect };
}

/** The OpenID provider; null if none is configured. */
export function openIdFrom(read: Read<typeof openIdVariables>): OpenIdConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (!issuer || !clientId || !clientSecret) return null;
  // Entra ID calls the claim `roles`, and so do others by default.
  const { OIDC_ROLE_CLAIM: roleClaim = 'roles', OIDC_SCOPE: scopeText } = read;
  return {
    issuer,
    clientId,
    clientSecret,
    roleClaim,
    ...(scopeText !== undefined && { scope: scopeText }),
  };
}

/**
 * Reads the dialect from the file in UPSTREAM_DIALECT.
 *
 * @param errors gets a sentence for each fault in the file
 */
export function readDialect(
  path: string,
  readFile: (path: string) => string,
  errors: string[],
): Dialect | null {
  const before = errors.length;
  const read = Dialect.safeParse(readJson(path, readFile, errors));
  if (read.success) return read.data;
  if (errors.length === before)
    for (const [field, sentences] of Object.entries(fieldErrors(read.error.issues))) {
      const name = field === 'body' ? 'the whole file' : field;
      errors.push(...sentences.map((sentence) => `In ${path}, ${name}: ${sentence}`));
    }
  return null;
}

function readJson(path: string, readFile: (path: string) => string, errors: string[]): unknown {
  let content: string;
  try {
    content = readFile(path);
  } catch {
    errors.push('Set UPSTREAM_DIALECT to a file that this program can read.');
    return null;
  }
  try {
    return JSON.parse(content);
  } catch {
    errors.push(`${path} is not valid JSON. Correct it; check commas and quotation marks first.`);
    return null;
  }
}

/** A random secret needs about this length for a plain digest to protect it. */
const minSecretLength = 32;

/** Reads clients such as `crm:SECRET:a b, other:SECRET:a`; null if the text has another form. */
function readClients(value: string): ConfiguredClient[] | null {
  const clients = new Map<string, ConfiguredClient>();
  for (const part of value.split(',').map((entry) => entry.trim())) {
    if (part === '' && value.trim() === '') return [];
    const client = readClient(part);
    const same = client && clients.get(client.id);
    if (!client || (same && (same.secrets.length > 1 || same.scopes.join() !== client.scopes.join())))
      return null;
    clients.set(client.id, { ...client, secrets: [...(same?.secrets ?? []), ...client.secrets] });
  }
  return [...clients.values()];
}

function readClient(value: string): ConfiguredClient | null {
  // Only the first two colons are separators: a scope contains a colon as well.
  const [, id, secret, rest = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(value) ?? [];
  if (id === undefined || secret === undefined || !isClientId(id)) return null;
  const wanted = readScopes(rest.split(/\s+/).filter((name) => name !== ''));
  if (!wanted || secret.length < minSecretLength || !/^[\x21-\x7e]+$/.test(secret)) return null;
  return { id, secrets: [secret], scopes: wanted };
}

/** Reads `name=value, name=value`, percent-encoded as in W3C Baggage; null if the text has another form. */
function readHeaders(value: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const part of value.split(',').map((entry) => entry.trim())) {
    if (part === '') continue;
    const [, name, encoded = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)$/.exec(part) ?? [];
    if (name === undefined || /%(?![2-6][\da-f]|7[\da-e])/i.test(encoded)) return null;
    headers[name] = decodeURIComponent(encoded);
  }
  return headers;
}

/** Whether an id is valid: it needs no quotes in a URL, a log or a shell. */
export function isClientId(value: string): boolean {
  return /^[\w.-]{1,64}$/.test(value);
}

/** @returns the scopes with these names; null if there are none or one is unknown */
export function readScopes(names: readonly string[]): Scope[] | null {
  const wanted = scopes.filter((one) => names.includes(one));
  return wanted.length > 0 && wanted.length === new Set(names).size ? wanted : null;
}

/** Checks the text first, because parsing would drop a `/.` and hide a user name. */
function isBaseUrl(value: string): boolean {
  return /^https?:\/\/[^?#@\s\\]+$/i.test(value) && !/\/\.{1,2}(\/|$)/.test(value) && URL.canParse(value);
}

export function isHttpsOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}

/** RFC 6749 section 3.3. */
function isScopeName(value: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value);
}

function isFilled(value: string): boolean {
  return value.trim() !== '' && !/\p{Cc}/u.test(value);
}

function withoutEndSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
