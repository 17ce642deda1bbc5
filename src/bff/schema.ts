import type { Role } from '../contract/bff/permission.ts';
import type { JournalTables } from './journal/schema.ts';

/** The BFF's tables. Ids are text; times are integers, milliseconds since 1970; flags are 0 or 1. */
export interface BffTables extends JournalTables {
  staff: StaffTable;
  sessions: SessionTable;
  sign_in_attempts: AttemptTable;
  known_browsers: KnownBrowserTable;
  sign_in_turns: TurnTable;
  secrets: SecretTable;
  drafts: DraftTable;
  single_sign_ons: SingleSignOnTable;
  views: ViewTable;
}

export interface StaffTable {
  id: string;
  name: string;
  /** The name as it is compared: without regard to case. */
  name_key: string;
  role: Role;
  /** Empty, and no hash of any password, where the OpenID provider signs the account in. */
  password_hash: string;
  disabled: number;
  created_at: number;
  /** 1 while the password is a one-time one that a manager has seen. */
  must_change_password: number;
  /** When a one-time password ends, 0 once it was used; null for any other, and for those of before there was an end. */
  password_expires_at: number | null;
  last_sign_in_at: number | null;
  /** The OpenID provider and who one is there; null for a local account. */
  issuer: string | null;
  subject: string | null;
}

interface SessionTable {
  /** SHA-256 of the id that the cookie holds, so that a copy of this table signs nobody in. */
  key: string;
  staff_id: string;
  created_at: number;
  seen_at: number;
}

/** A browser in which an account was signed in to. */
interface KnownBrowserTable {
  /** SHA-256 of the id that its cookie holds. */
  key: string;
  staff_id: string;
  seen_at: number;
}

/** One row for each password that was tried; a right one deletes its account's rows from the same address. */
interface AttemptTable {
  id: string;
  /** SHA-256 of the name tried: people type passwords into the wrong field. The browser's key where it is known. */
  account: string;
  /** The client's IP address; the browser's key where it is known. */
  address: string;
  at: number;
}

/** One row for each account and each address whose attempts are counted; counting holds its lock. */
interface TurnTable {
  key: string;
  at: number;
}

/** What a BFF generated and all its replicas have to know, such as its client secret. */
interface SecretTable {
  name: string;
  value: string;
}

/** What somebody typed into a form and has not saved yet. */
interface DraftTable {
  /** The account's id. */
  owner: string;
  form: string;
  /** A draft of the contract, as JSON. */
  body: string;
  saved_at: number;
}

/** A sign-in that is under way at the OpenID provider; its row goes when the browser comes back. */
interface SingleSignOnTable {
  /** SHA-256 of what the browser's cookie holds and of the state in the address. */
  key: string;
  /** A local path. */
  return_to: string;
  /** The key of the session that the browser had: the way back does not bring its cookie. */
  former_session: string | null;
  /** The client's IP address. */
  address: string;
  at: number;
}

/** A list that somebody keeps under a name. */
export interface ViewTable {
  /** The account's id, or a fixed one where there are no accounts. */
  owner: string;
  id: string;
  /** Lower comes first among an owner's. */
  place: number;
  name: string;
  /** JSON of the contract's ViewQuery, as it is on the wire. */
  query: string;
}
