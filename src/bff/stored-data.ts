import type { Inventory, StoredData } from '../lib/stored-data.ts';
import type { BffTables } from './schema.ts';

const staff: StoredData = { about: 'staff', form: 'text' };
const text = { about: 'subscribers', form: 'text' } as const;
const masked = { about: 'subscribers', form: 'JSON, its access token masked' } as const;
const erased = { erasure: { blank: null } } as const;
const access = (form: string): StoredData => ({ about: 'access', form });
const digest = access('SHA-256');

/**
 * Where the BFF keeps what concerns people or opens something. What is erased on demand and what backups leave out follow
 * from it, and so does the list in `.github/SECURITY.md`.
 */
export const bffData = {
  staff: {
    kept: 'always',
    isInBackups: true,
    holds: {
      name: staff,
      name_key: staff,
      subject: staff,
      last_sign_in_at: staff,
      password_hash: access('argon2id'),
    },
    plain: ['id', 'role', 'disabled', 'created_at', 'must_change_password', 'password_expires_at', 'issuer'],
  },
  sessions: {
    kept: '8 hours',
    isInBackups: false,
    holds: {
      key: digest,
      provider_session: digest,
      refresh_token: access('AES-GCM under `secrets`'),
      browser: staff,
    },
    plain: ['public_id', 'staff_id', 'created_at', 'seen_at', 'proved_at', 'checked_at'],
  },
  attempts: {
    kept: 'an hour',
    isInBackups: false,
    holds: { key: { about: 'staff', form: 'SHA-256' } },
    plain: ['until'],
  },
  known_browsers: {
    kept: '400 days',
    isInBackups: true,
    holds: { key: digest },
    plain: ['staff_id', 'seen_at'],
  },
  failed_sign_ins: {
    kept: 'until they are in the journal',
    isInBackups: true,
    holds: { name: staff },
    plain: ['account', 'first_at', 'last_at', 'times', 'request_id'],
  },
  secrets: { kept: 'always', isInBackups: true, holds: { value: access('text') }, plain: ['name'] },
  second_factors: {
    kept: 'until it is removed',
    isInBackups: true,
    holds: { secret: access('AES-GCM under `secrets`'), name: staff },
    plain: ['id', 'staff_id', 'kind', 'last_counter', 'created_at', 'last_used_at', 'credential_id'],
  },
  recovery_codes: {
    kept: 'until they are renewed',
    isInBackups: true,
    holds: { key: access('HMAC under `secrets`') },
    plain: ['staff_id', 'used_at'],
  },
  used_challenges: { kept: '10 minutes', isInBackups: false, holds: { key: digest }, plain: ['until'] },
  single_sign_ons: {
    kept: '10 minutes',
    isInBackups: false,
    holds: {
      key: digest,
      previous_session: digest,
      return_to: { about: 'subscribers', form: 'AES-GCM under a cookie' },
      address: staff,
    },
    plain: ['at'],
  },
  provider_logouts: {
    kept: '2 days',
    isInBackups: true,
    holds: { key: digest, provider_session: digest, subject: { about: 'staff', form: 'SHA-256' } },
    plain: ['issued_at'],
  },
  drafts: {
    kept: '7 days',
    isInBackups: true,
    holds: { body: { ...text, erasure: 'row' } },
    plain: ['owner', 'form', 'saved_at'],
  },
  recent_subscribers: {
    kept: 'the last ten',
    isInBackups: true,
    holds: { subscriber_id: { about: 'subscribers', form: 'ID', erasure: 'row' } },
    plain: ['owner', 'opened_at'],
  },
  views: {
    kept: 'until it is deleted',
    isInBackups: true,
    holds: { name: { ...text, erasure: 'row' }, query: { ...text, erasure: 'row' } },
    plain: ['owner', 'id', 'place', 'hidden', 'exported'],
  },
  messages: {
    kept: 'until it is deleted',
    isInBackups: true,
    holds: {},
    plain: ['id', 'occasion', 'language', 'name', 'text', 'version'],
  },
  bundle_list: { kept: 'always', isInBackups: true, holds: {}, plain: ['id', 'bundles', 'version'] },
  journal: {
    kept: '`JOURNAL_DAYS`',
    isInBackups: true,
    holds: {
      staff_name: staff,
      username: { ...text, erasure: { blank: '' } },
      username_key: { ...text, erasure: { blank: '' } },
      // An event tells of staff besides, which stays.
      input: { ...text, erasure: 'named' },
      before_record: { ...masked, ...erased },
      after: { ...masked, ...erased },
      reason: { ...text, ...erased },
      version: { about: 'subscribers', form: 'HMAC under `secrets`', ...erased },
      token_mac: { about: 'access', form: 'HMAC under `secrets`', ...erased },
      // That of a creation has the username.
      lock_key: { ...text, erasure: 'named' },
      key_hash: digest,
    },
    plain: [
      ...([
        'id',
        'seq',
        'at',
        'staff_id',
        'operation',
        'kind',
        'subscriber_id',
        'account_id',
        'request_id',
      ] as const),
      ...([
        'undo_of',
        'job_id',
        'closed_seq',
        'closed_at',
        'outcome',
        'code',
        'mac',
        'closed_mac',
        'proof',
      ] as const),
      'fingerprint',
    ],
  },
  journal_head: {
    kept: 'always',
    isInBackups: true,
    holds: {},
    plain: ['id', 'seq', 'mac', 'anchor_seq', 'anchor_mac', 'anchor_proof', 'key_id', 'key_seq', 'key_mac'],
  },
  jobs: {
    kept: '90 days',
    isInBackups: true,
    holds: {
      staff_name: staff,
      targets: { ...text, erasure: 'named' },
      change: { ...text, erasure: 'named' },
      file: { ...text, erasure: 'named' },
      reason: { ...text, erasure: 'named' },
    },
    plain: [
      ...([
        'id',
        'kind',
        'state',
        'pause',
        'problem',
        'staff_id',
        'created_at',
        'started_at',
        'ended_at',
        'starts_at',
      ] as const),
      ...([
        'request_id',
        'undo_of',
        'total',
        'counts',
        'preview',
        'rows_left',
        'ran_for',
        'rows_done',
      ] as const),
      ...(['lease_until', 'fence'] as const),
    ],
  },
  job_rows: {
    kept: '90 days',
    isInBackups: true,
    holds: {
      username: { ...text, erasure: { blank: '' } },
      version: { about: 'subscribers', form: 'HMAC under `secrets`', ...erased },
      detail: { ...text, ...erased },
      before: { ...masked, ...erased },
      after: { ...masked, ...erased },
      source: { ...text, ...erased },
    },
    plain: ['job_id', 'number', 'subscriber_id', 'result', 'why', 'undo_of', 'tries', 'warnings'],
  },
  imports: {
    kept: 'a day',
    isInBackups: true,
    holds: { state: { ...text, erasure: 'row' } },
    plain: ['id', 'staff_id', 'created_at'],
  },
  import_parts: {
    kept: 'until they are prepared, at most a day',
    isInBackups: true,
    holds: { rows: { ...text, erasure: 'row' } },
    plain: ['import_id', 'first'],
  },
} satisfies Inventory<BffTables>;

/** Values for the columns of a table where a person is erased. */
export function erasedColumns<T extends 'journal' | 'job_rows'>(table: T): Partial<BffTables[T]> {
  const blanks = Object.entries<StoredData>(bffData[table].holds).flatMap(([name, { erasure }]) =>
    typeof erasure === 'object' ? [[name, erasure.blank] as const] : [],
  );
  // The names are those of the table.
  return Object.fromEntries(blanks) as Partial<BffTables[T]>;
}

/** The tables that backups leave out: what ends soon, and what lets somebody in. */
export const passingTables = (Object.keys(bffData) as (keyof BffTables)[]).filter(
  (name) => !bffData[name].isInBackups,
);
