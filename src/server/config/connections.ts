/** What the environment says of other programs: a service elsewhere, an OpenID provider, the service's API clients. */
import * as z from 'zod/mini';
import type { SingleSignOn } from '../../bff/bff.ts';
import { Dialect } from '../../bff/upstream/dialect/shape.ts';
import { fieldErrors } from '../../contract/http/refusal.ts';
import { scopes, type Scope } from '../../contract/service/token.ts';
import { isLoopback } from '../http/client-address.ts';

/** A service elsewhere, and how the BFF signs in there. */
export interface UpstreamConfig {
  /** What its paths are appended to, without a slash at its end. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Scope strings as the service calls them. */
  scopes: { read: string; write: string };
  /** How it differs from the contract, where it does. */
  dialect: Dialect | null;
}

/** The OpenID provider, and how the BFF signs in there. */
export type OpenIdConfig = Omit<SingleSignOn, 'fetch'>;

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
    `Set ${name} to the scope that the service asks for, or several with one space between them.`,
  );

/** The variables of a service elsewhere; all of them are set, or none, and the dialect only beside them. */
export const upstreamVariables = {
  UPSTREAM_URL: text(
    isBaseUrl,
    'Set UPSTREAM_URL to the base address of the service, such as https://subscribers.example.com/v1, without a query.',
  ),
  UPSTREAM_CLIENT_ID: text(isFilled, 'Set UPSTREAM_CLIENT_ID to the id that the service knows the desk by.'),
  UPSTREAM_CLIENT_SECRET: text(
    isFilled,
    'Set UPSTREAM_CLIENT_SECRET to the secret that the service gave for the desk.',
  ),
  UPSTREAM_SCOPE_READ: scope('UPSTREAM_SCOPE_READ'),
  UPSTREAM_SCOPE_WRITE: scope('UPSTREAM_SCOPE_WRITE'),
  UPSTREAM_DIALECT: text(isFilled, 'Set UPSTREAM_DIALECT to a JSON file, such as ./dialect.json.'),
};

/** The variables of single sign-on; all of them are set, or none, except those that have a default. */
export const openIdVariables = {
  OIDC_ISSUER: text(
    (value) => isBaseUrl(value) && isHttpsOrLoopback(new URL(value)),
    'Set OIDC_ISSUER to the issuer of the OpenID provider, such as https://id.example.com/realms/staff, without a query; http for this machine alone.',
  ),
  OIDC_CLIENT_ID: text(isFilled, 'Set OIDC_CLIENT_ID to the id that the OpenID provider knows the desk by.'),
  OIDC_CLIENT_SECRET: text(
    isFilled,
    'Set OIDC_CLIENT_SECRET to the secret that the OpenID provider gave for the desk.',
  ),
  OIDC_ROLE_CLAIM: text(
    isFilled,
    'Set OIDC_ROLE_CLAIM to the claim that names the role, such as roles or realm_access.roles.',
  ),
  OIDC_SCOPE: text(
    // Without `openid` it would be no OpenID request (OpenID Connect Core section 3.1.2.1).
    (value) => value.split(' ').every(isScopeName) && value.split(' ').includes('openid'),
    'Set OIDC_SCOPE to what the provider is asked for, openid among it, with one space between each, such as openid profile groups.',
  ),
};

const wantsClients =
  'Set SERVICE_CLIENTS to id:secret:scopes for each API client, with commas between them, such as ' +
  `crm:SECRET:${scopes.join(' ')}. A secret has at least 32 characters and no colon or comma; a client that stands ` +
  'there twice has two secrets.';

/** The variables that only `npm run service` reads. */
export const serviceVariables = {
  SERVICE_URL: z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.refine(
            isBaseUrl,
            'Set SERVICE_URL to the base address that API clients use, such as https://subscribers.example.com/v1, without a query.',
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

type Read<Variables> = { [N in keyof Variables]?: string | undefined };

/** What is wrong with the variables together: a sentence for each that is missing beside the others. */
export function findMissing(read: Read<typeof upstreamVariables> & Read<typeof openIdVariables>): string[] {
  return [
    ...missingOf(read, Object.keys(upstreamVariables), ['UPSTREAM_DIALECT'], 'with a service elsewhere'),
    ...missingOf(read, Object.keys(openIdVariables), ['OIDC_ROLE_CLAIM', 'OIDC_SCOPE'], 'for single sign-on'),
  ];
}

function missingOf(
  read: Readonly<Record<string, string | undefined>>,
  all: readonly string[],
  optional: readonly string[],
  when: string,
): string[] {
  if (all.every((name) => read[name] === undefined)) return [];
  const needed = all.filter((name) => !optional.includes(name));
  return needed
    .filter((name) => read[name] === undefined)
    .map((name) => `Set ${name} too: ${when}, the desk needs all of ${needed.join(', ')}.`);
}

/** The service elsewhere, or null where none is named. */
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

/** The OpenID provider, or null where none is named. */
export function openIdFrom(read: Read<typeof openIdVariables>): OpenIdConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (!issuer || !clientId || !clientSecret) return null;
  // Entra ID calls the claim `roles`, and others do unless somebody chose another name.
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
 * The dialect in the file that UPSTREAM_DIALECT names.
 *
 * @param errors gets a sentence for everything that is wrong in it
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
      const name = field === 'body' ? 'the whole' : field;
      errors.push(...sentences.map((sentence) => `In ${path}, ${name}: ${sentence}`));
    }
  return null;
}

function readJson(path: string, readFile: (path: string) => string, errors: string[]): unknown {
  let content: string;
  try {
    content = readFile(path);
  } catch {
    errors.push('Set UPSTREAM_DIALECT to a file that can be read.');
    return null;
  }
  try {
    return JSON.parse(content);
  } catch {
    errors.push(`${path} is not JSON. Correct it; commas and quotation marks are what is most often wrong.`);
    return null;
  }
}

/** A random secret needs about this length before a plain digest protects it. */
const minSecretLength = 32;

/** `crm:SECRET:a b, other:SECRET:a` as clients; null where it is something else. */
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
  // Only the first two colons separate: a scope has one of its own.
  const [, id, secret, rest = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(value) ?? [];
  if (id === undefined || secret === undefined || !isClientId(id)) return null;
  const wanted = readScopes(rest.split(/\s+/).filter((name) => name !== ''));
  if (!wanted || secret.length < minSecretLength || !/^[\x21-\x7e]+$/.test(secret)) return null;
  return { id, secrets: [secret], scopes: wanted };
}

/** Whether an id needs no quoting in a URL, a log or a shell. */
export function isClientId(value: string): boolean {
  return /^[\w.-]{1,64}$/.test(value);
}

/** @returns null for no scope, and where one of them is unknown */
export function readScopes(names: readonly string[]): Scope[] | null {
  const wanted = scopes.filter((one) => names.includes(one));
  return wanted.length > 0 && wanted.length === new Set(names).size ? wanted : null;
}

/** Checked as text first: parsing would drop a `/.` and hide a user's name. */
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
