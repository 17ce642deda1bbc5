import * as z from 'zod/mini';
import type { Scope } from '../../contract/http/endpoint.ts';
import { scopes } from '../../contract/service/token.ts';
import { isBaseUrl } from './upstream-config.ts';

/** An API client that the environment names. */
export interface GivenClient {
  id: string;
  secrets: readonly string[];
  scopes: readonly Scope[];
}

const wantsClients =
  'Set SERVICE_CLIENTS to id:secret:scopes for each API client, with commas between them, such as ' +
  `crm:SECRET:${scopes.join(' ')}. A secret has at least 32 characters and no colon or comma; a client that stands ` +
  'there twice has two secrets.';

/** The variables of the service alone. */
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
      z.transform((text: string) => text.replace(/\/+$/, '')),
    ),
  ),
  SERVICE_CLIENTS: z._default(
    z.pipe(
      z.string().check(z.refine((text) => readClients(text) !== null, wantsClients)),
      z.transform((text: string) => readClients(text) ?? []),
    ),
    [],
  ),
};

/** A random secret of the least entropy that a plain digest protects is about as long as this. */
const leastSecret = 32;

/** `crm:SECRET:a b, other:SECRET:a` as clients, or null where it is something else. */
function readClients(text: string): GivenClient[] | null {
  const clients = new Map<string, GivenClient>();
  for (const part of text.split(',').map((part) => part.trim())) {
    if (part === '' && text.trim() === '') return [];
    const client = readClient(part);
    const same = client && clients.get(client.id);
    if (!client || (same && (same.secrets.length > 1 || same.scopes.join() !== client.scopes.join())))
      return null;
    clients.set(client.id, { ...client, secrets: [...(same?.secrets ?? []), ...client.secrets] });
  }
  return [...clients.values()];
}

function readClient(text: string): GivenClient | null {
  // Only the first two colons separate: a scope holds one of its own.
  const [, id, secret, rest = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  if (id === undefined || secret === undefined || !isClientId(id)) return null;
  const wanted = readScopes(rest.split(/\s+/).filter((name) => name !== ''));
  if (!wanted || secret.length < leastSecret || !/^[\x21-\x7e]+$/.test(secret)) return null;
  return { id, secrets: [secret], scopes: wanted };
}

/** Names that a URL, a log and a shell take as they are. */
export function isClientId(text: string): boolean {
  return /^[\w.-]{1,64}$/.test(text);
}

/** @returns null for none, and where one of them is no scope */
export function readScopes(names: readonly string[]): Scope[] | null {
  const wanted = scopes.filter((scope) => names.includes(scope));
  return wanted.length > 0 && wanted.length === new Set(names).size ? wanted : null;
}
