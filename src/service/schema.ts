import type { Kysely } from 'kysely';
import type { Generated } from 'kysely';
import type { Inventory, StoredData } from '../lib/stored-data.ts';

/** A boolean as every engine can keep it. */
export type Bit = 0 | 1;

export type ServiceDb = Kysely<ServiceTables>;

/**
 * The tables of the service. Times are integer milliseconds since 1970; lists are JSON texts, because they are only
 * ever read and written whole.
 */
export interface ServiceTables {
  subscribers: SubscriberTable;
  subscriber_statuses: { id: number; name: string };
  /** Subscribers of each bundle, country, address and user agent; see `values.ts`. */
  subscriber_values: { kind: number; value: string; subscriber_id: number };
  /** The last subscriber that was added to it; no row once all are in it. */
  subscriber_values_fill: { after_id: number };
  /** Those whose `address_keys` are not those of their addresses. */
  stale_addresses: { subscriber_id: number };
  service_once: OnceTable;
  api_clients: ApiClientTable;
  client_secrets: ClientSecretTable;
  signing_keys: SigningKeyTable;
}

export interface SubscriberTable {
  /** Never used again after a deletion, so that an old link or ETag cannot meet another person's record. */
  id: Generated<number>;
  access_token: string;
  username: string;
  /** See `search-text.ts`; unique, which makes usernames unique without regard to case. */
  username_search: string;
  /** See `foldText`; null where it is the same as `username_search`, as of nearly all names. */
  username_folded: string | null;
  email: string;
  email_search: string;
  email_folded: string | null;
  expires_at: number;
  max_connections: number;
  is_trial: Bit;
  note: string;
  status_id: number;
  hls: Bit;
  mpeg_ts: Bit;
  bundles: string;
  ip_addresses: string;
  user_agents: string;
  countries: string;
  /** The addresses as they are found: see `addressKeys`. */
  address_keys: Generated<string>;
  /** Counts the changes of the record; the second half of its ETag. */
  version: Generated<number>;
}

/** The changes of the last day with an `Idempotency-Key`, and their answers. */
interface OnceTable {
  client_id: string;
  /** SHA-256 of the key, base64url. The key itself is not stored, because it decrypts `answer`. */
  key_digest: string;
  /** SHA-256 of the change and the key, base64url. */
  change_digest: string;
  /** Encrypted under the key; empty while the change is running, which no other transaction sees. */
  answer: string;
  created_at: number;
}

interface ApiClientTable {
  id: string;
  /** Separated by spaces, as OAuth writes them. */
  scopes: string;
}

interface ClientSecretTable {
  client_id: string;
  /** Counts a client's secrets up. It is part of the primary key, so two racing secrets do not become three. */
  generation: number;
  /** SHA-256 of the secret, base64url. */
  digest: string;
}

interface SigningKeyTable {
  /** Counts the keys up from 1. It is the primary key, so only one of two racing first keys is kept. */
  generation: number;
  kid: string;
  private_jwk: string;
  created_at: number;
}

const person: StoredData = { about: 'subscribers', form: 'text' };

/** Where the service keeps what concerns people or opens something; the list in `.github/SECURITY.md` has it, too. */
export const serviceData = {
  subscribers: {
    kept: 'until it is deleted',
    isInBackups: true,
    holds: {
      access_token: { about: 'access', form: 'text' },
      username: person,
      username_search: person,
      username_folded: person,
      email: person,
      email_search: person,
      email_folded: person,
      note: person,
      ip_addresses: person,
      address_keys: person,
      user_agents: person,
      countries: person,
    },
    plain: [
      ...(['id', 'expires_at', 'max_connections', 'is_trial', 'status_id'] as const),
      ...(['hls', 'mpeg_ts', 'bundles', 'version'] as const),
    ],
  },
  subscriber_values: {
    kept: 'until its subscriber is deleted',
    isInBackups: true,
    holds: { value: person },
    plain: ['kind', 'subscriber_id'],
  },
  subscriber_values_fill: { kept: 'until it is done', isInBackups: true, holds: {}, plain: ['after_id'] },
  stale_addresses: {
    kept: 'until its keys are written',
    isInBackups: true,
    holds: {},
    plain: ['subscriber_id'],
  },
  subscriber_statuses: { kept: 'always', isInBackups: true, holds: {}, plain: ['id', 'name'] },
  service_once: {
    kept: 'a day',
    isInBackups: true,
    holds: { answer: { about: 'subscribers', form: 'AES-GCM under a key that is not stored' } },
    plain: ['client_id', 'key_digest', 'change_digest', 'created_at'],
  },
  api_clients: { kept: 'until it is removed', isInBackups: true, holds: {}, plain: ['id', 'scopes'] },
  client_secrets: {
    kept: 'until it is replaced',
    isInBackups: true,
    holds: { digest: { about: 'access', form: 'SHA-256' } },
    plain: ['client_id', 'generation'],
  },
  signing_keys: {
    kept: 'until it is replaced',
    isInBackups: true,
    holds: { private_jwk: { about: 'access', form: 'text' } },
    plain: ['generation', 'kid', 'created_at'],
  },
} satisfies Inventory<ServiceTables>;
