import type { Change, Outcome } from '../../contract/bff/journal.ts';

/** The tables of the journal, of the chain that protects it, and of the answers to changes that may be sent again. */
export interface JournalTables {
  journal: JournalTable;
  journal_links: JournalLinkTable;
  journal_head: JournalHeadTable;
  once: OnceTable;
}

/** One change. What stands before `closed_seq` is written when it begins, the rest when its outcome is known. */
export interface JournalTable {
  id: string;
  /** The link of the chain that covers its beginning. */
  seq: number;
  at: number;
  staff_id: string;
  staff_name: string;
  operation: Change;
  /** Of a creation it is part of the outcome. */
  subscriber_id: number | null;
  username: string;
  /** The fields that were entered, as JSON. */
  input: string | null;
  /** The whole record as it was, its token masked, as JSON. */
  before_record: string | null;
  /** Keyed, so that a later token can be told from this one. */
  token_mac: string | null;
  reason: string | null;
  request_id: string;
  undo_of: string | null;
  /** Of all open entries with the same one there is only one: the change that is under way. */
  lock_key: string;
  closed_seq: number | null;
  closed_at: number | null;
  outcome: Outcome | null;
  code: string | null;
  /** The fields that differ afterwards, as JSON, the token masked. */
  after: string | null;
  /** The version that it made. */
  version: string | null;
}

/** The hash chain over the journal: each link covers the one before it and what its entry says. */
export interface JournalLinkTable {
  seq: number;
  entry_id: string;
  kind: 'intent' | 'outcome';
  mac: string;
}

/** One row: the end of the chain, and where it begins since its older part was deleted. */
export interface JournalHeadTable {
  id: number;
  seq: number;
  mac: string;
  anchor_seq: number;
  anchor_mac: string;
  /** Shows that the desk itself cut the chain there. */
  anchor_proof: string;
}

/** The answer to each change that came with a key. */
export interface OnceTable {
  /** SHA-256 of who sent it and its key. */
  key_hash: string;
  entry_id: string;
  /** Keyed; the same for the same change alone. */
  fingerprint: string;
  /** Null until it is answered. */
  status: number | null;
  /** Headers and body, encrypted under the key, which is kept nowhere: the body may hold an access token. */
  answer: string | null;
  at: number;
}
