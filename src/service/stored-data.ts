import type { Inventory, StoredData } from '../lib/stored-data.ts';
import type { ServiceTables } from './schema.ts';

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
      ...([
        'id',
        'expires_at',
        'max_connections',
        'is_trial',
        'status_id',
        'hls',
        'mpeg_ts',
        'bundles',
      ] as const),
      'version',
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
