import type { Kysely } from 'kysely';
import type { Occasion } from '../contract/bff/message.ts';
import type { Role } from '../contract/bff/permission.ts';
import type { SecondFactorKind } from '../contract/bff/second-factor.ts';
import type { JobTables } from './jobs/schema.ts';
import type { JournalTables } from './journal/schema.ts';

export type BffDb = Kysely<BffTables>;

/** The BFF's tables. Ids are text; times are integers, milliseconds since 1970; flags are 0 or 1. */
export interface BffTables extends JournalTables, JobTables {
  staff: StaffTable;
  sessions: SessionTable;
  attempts: AttemptTable;
  known_browsers: KnownBrowserTable;
  failed_sign_ins: FailedSignInTable;
  secrets: SecretTable;
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  used_challenges: UsedChallengeTable;
  drafts: DraftTable;
  single_sign_ons: SingleSignOnTable;
  provider_logouts: ProviderLogoutTable;
  recent_subscribers: RecentSubscriberTable;
  views: ViewTable;
  messages: MessageTable;
  /** One row: JSON of the contract's `Bundle`s, and how often they were changed. None before the first change. */
  bundle_list: { id: 1; bundles: string; version: number };
}

/** The stored value for an account without a role. */
export const noRole = 'none';

export interface StaffTable {
  id: string;
  name: string;
  /** The name as it is compared: without regard to case. */
  name_key: string;
  /** `none` where the OpenID provider gives none any more. */
  role: Role | typeof noRole;
  /** Empty if the OpenID provider signs the account in. No password has this hash. */
  password_hash: string;
  disabled: number;
  created_at: number;
  /** 1 while the password is a one-time one that a manager has seen. */
  must_change_password: number;
  /** When a one-time password expires; 0 after its use; null for other passwords, and for old one-time passwords. */
  password_expires_at: number | null;
  last_sign_in_at: number | null;
  /** The OpenID provider and the user's id there; null for a local account. */
  issuer: string | null;
  subject: string | null;
}

interface SessionTable {
  /** SHA-256 of the id in the cookie, so that a copy of this table cannot be used to sign in. */
  key: string;
  /** Names it to its owner; random, and no way to the key. */
  public_id: string;
  staff_id: string;
  /** By `browserLabel`; never what the browser sent. */
  browser: string;
  created_at: number;
  seen_at: number;
  /** When the user last signed in, here or at the OpenID provider; null where that does not say. */
  proved_at: number | null;
  /** A digest of the session at the OpenID provider that it came from, where the provider numbers them. */
  provider_session: string | null;
  /** Asks the provider whether the user may still sign in; encrypted, and null where it gives none. */
  refresh_token: string | null;
  /** When the provider last said so; null where it cannot be asked. */
  checked_at: number | null;
}

/** A browser in which an account was signed in to. */
interface KnownBrowserTable {
  /** SHA-256 of the id that its cookie holds. */
  key: string;
  staff_id: string;
  seen_at: number;
}

/** Used attempts of an account, an address or a known browser. */
export interface AttemptTable {
  /** The kind of attempt, and a digest of the account's name, an IP address or the browser's key. */
  key: string;
  /** When all of them are back. */
  until: number;
}

/** Sign-ins of an account that fail in a row, until they become an entry of the journal. */
export interface FailedSignInTable {
  /** The account's id, or one for all names that no account has. */
  account: string;
  /** Its name; people type passwords into the wrong field, so no name that no account has. */
  name: string;
  first_at: number;
  last_at: number;
  times: number;
  /** The last one's. */
  request_id: string;
}

/** A value that a BFF generated and all its replicas share, such as its client secret. */
interface SecretTable {
  name: string;
  value: string;
}

/** A second factor of an account. An account may have several rows, of several kinds. */
interface SecondFactorTable {
  id: string;
  staff_id: string;
  kind: FactorKind;
  /**
   * The secret that checks its proofs; sealed for this account. For `totp` the key that the app has too, for `passkey`
   * its public key.
   */
  secret: string;
  /**
   * Proofs count upwards, and each counts once: for `totp` the last step of 30 s whose code was accepted, for
   * `passkey` the signature counter, which stays 0 in many authenticators.
   */
  last_counter: number;
  created_at: number;
  last_used_at: number | null;
  /** The ID of a passkey at its authenticator, and its name for people. */
  credential_id: string | null;
  name: string | null;
}

/** Kinds of rows of `second_factors`. Recovery codes are no factor: they go with the last one. */
export type FactorKind = Exclude<SecondFactorKind, 'recovery-code'>;

/** A code that opens an account once instead of its second factor. */
interface RecoveryCodeTable {
  /** A digest of the code, so that a copy of this table opens nothing. */
  key: string;
  staff_id: string;
  used_at: number | null;
}

/** A challenge for a passkey that was answered, until it ends by itself. */
interface UsedChallengeTable {
  /** A digest of the challenge. */
  key: string;
  until: number;
}

/** Unsaved text that a user typed into a form. */
interface DraftTable {
  /** The account's id. */
  owner: string;
  form: string;
  /** A draft of the contract, as JSON. */
  body: string;
  saved_at: number;
}

/** A subscriber that somebody has opened; the last ten of each owner. */
interface RecentSubscriberTable {
  /** The account's id; a fixed one in a tab, where there are no accounts. */
  owner: string;
  subscriber_id: number;
  opened_at: number;
}

/** A sign-in that is running at the OpenID provider, or has failed lately. Its row is deleted when it succeeds. */
interface SingleSignOnTable {
  /** SHA-256 of what the browser's cookie holds and of the state in the address. */
  key: string;
  /** A local path. */
  return_to: string;
  /** The key of the session that the browser had: the way back does not bring its cookie. */
  previous_session: string | null;
  /** The client's IP address. */
  address: string;
  at: number;
}

/** A sign-out at the OpenID provider, of which it has told. */
interface ProviderLogoutTable {
  /** A digest of the token's number: each counts once. */
  key: string;
  /** When the provider made the token. */
  issued_at: number;
  /** Digests of the session and of the subject; null where the token names none. */
  provider_session: string | null;
  subject: string | null;
}

/** A list that a user saved under a name. */
export interface ViewTable {
  /** The account's id; a fixed one in a tab, where there are no accounts; another one for what is shared. */
  owner: string;
  id: string;
  /** The views of an owner are sorted by this, lowest first. */
  place: number;
  name: string;
  /** JSON of the contract's ViewQuery, as it is on the wire. */
  query: string;
  /** Names of columns, with blanks between them; null for none of its own. */
  hidden: string | null;
  exported: string | null;
}

/** A text that staff copy for subscribers; the contract's Message. */
export interface MessageTable {
  id: string;
  occasion: Occasion;
  language: string;
  name: string;
  text: string;
  version: number;
}
