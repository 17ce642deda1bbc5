import type { Generated } from 'kysely';

/** A boolean as every engine can keep it. */
export type Bit = 0 | 1;

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
