import { sql } from 'kysely';
import type { Change, EntryKind, JournalOperation, Outcome } from '../../contract/bff/journal.ts';

/** The journal, with the hash chain that protects it. */
export interface JournalTables {
  journal: JournalTable;
  journal_head: JournalHeadTable;
}

/**
 * One entry. A change is written in two halves: `closed_seq` and the columns after it when the outcome is known, the rest
 * before. An event is written whole.
 */
export interface JournalTable {
  id: string;
  /** The number of the link that covers the beginning. */
  seq: number;
  at: number;
  staff_id: string;
  staff_name: string;
  operation: JournalOperation;
  /** Follows from the operation; a column of its own so that a list can be read by it. */
  kind: EntryKind;
  /** Part of the outcome for a creation, else of the beginning. */
  subscriber_id: number | null;
  username: string;
  /** The username as it is searched for, see `searchText`. */
  username_key: string;
  /** The fields that were entered for a change, or the details of an event, as JSON. */
  input: string | null;
  /** The staff account that an event of the kind `staff` was done to; it is in `input`, too. */
  account_id: string | null;
  /** The whole record before the change, its token masked, as JSON. */
  before_record: string | null;
  /** The MAC of the token before the change: shows whether it was replaced, without storing the token. */
  token_mac: string | null;
  reason: string | null;
  request_id: string;
  undo_of: string | null;
  /** The job that makes the change, if one does. */
  job_id: string | null;
  /** At most one open entry has the same key, so one change of a subscriber runs at a time. Empty for an event. */
  lock_key: string;
  closed_seq: number | null;
  closed_at: number | null;
  outcome: Outcome | null;
  code: string | null;
  /** The fields that differ after the change, its token masked, as JSON. */
  after: string | null;
  /** The record's version after the change. */
  version: string | null;
  /** The link that covers the beginning, or an event whole: number `seq` of the chain. */
  mac: string;
  /** The link that covers the outcome of a change: number `closed_seq`. */
  closed_mac: string | null;
  /** Set once the BFF has erased part of the entry, or deleted what came before its outcome; see `proofOfEntry`. */
  proof: string | null;
  /** SHA-256 of the user's id and the `Idempotency-Key`; null without one, and once it has expired. */
  key_hash: string | null;
  /** The MAC of the request: another request with the same key is refused. */
  fingerprint: string | null;
}

/** An entry of a change. */
export type ChangeRow = JournalTable & { operation: Change };

/** A link covers the link before it and one half of a change's entry, or an event whole. */
export type LinkKind = 'intent' | 'outcome' | 'event';

/** One row: the end of the chain, and the anchor where it begins since older links were deleted. */
export interface JournalHeadTable {
  id: number;
  seq: number;
  mac: string;
  anchor_seq: number;
  anchor_mac: string;
  /** Proves that the BFF itself deleted what came before the anchor; see `proofOf`. */
  anchor_proof: string;
  /** The external key that makes the links, by its public name; null for the database's own key. */
  key_id: string | null;
  /** The first link under the external key, which covers no entry; the anchor where that is later; 0 without the key. */
  key_seq: number;
  key_mac: string;
}

/**
 * True if an entry made a trial paid: `after` has only the fields that differ, as JSON that the BFF wrote, where no
 * text can hold an unescaped quotation mark. The same words are in the index, so that engines use it.
 */
export const becamePaid = sql<boolean>`after like '%"isTrial":false%' and before_record like '%"isTrial":true%' and outcome = 'done'`;
