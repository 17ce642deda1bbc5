import type { Kysely, Transaction } from 'kysely';
import { fromBase64url, toBase64url } from '../../contract/http/crypto.ts';
import type { BffTables } from '../schema.ts';
import type { JournalHeadTable, JournalLinkTable, JournalTable } from './schema.ts';

export type Db = Kysely<BffTables>;

/** What a MAC is for. The same text has a different MAC for each purpose, so none can stand in for another. */
type Purpose = 'link' | 'anchor' | 'token' | 'fingerprint' | 'version' | 'job';

/** Computes the HMAC-SHA-256 of a text, in base64url. Only the holder of the key can. */
export type Mac = (purpose: Purpose, text: string) => Promise<string>;

/** @param secret 32 bytes in base64url */
export function createMac(secret: string): Mac {
  let key: Promise<CryptoKey> | null = null;
  const importKey = () =>
    crypto.subtle.importKey('raw', fromBase64url(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return async (purpose, text) => {
    const data = new TextEncoder().encode(`${purpose}\n${text}`);
    return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', await (key ??= importKey()), data)));
  };
}

/** The last link of the chain: its number and its MAC. */
export type Head = Pick<JournalHeadTable, 'seq' | 'mac'>;

/**
 * Locks the end of the chain until the transaction ends, so that one transaction at a time appends. Call it before any
 * read: what was read before the lock may already be outdated.
 */
export async function lockHead(tx: Transaction<BffTables>): Promise<JournalHeadTable> {
  const lock = () =>
    tx
      .updateTable('journal_head')
      .set((head) => ({ seq: head.ref('seq') }))
      .where('id', '=', 1)
      .returningAll()
      .executeTakeFirst();
  const head = await lock();
  if (head) return head;
  await tx
    .insertInto('journal_head')
    .values(emptyHead)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await lock()) ?? emptyHead;
}

/** The head of a journal without entries. */
export const emptyHead: JournalHeadTable = {
  id: 1,
  seq: 0,
  mac: '',
  anchor_seq: 0,
  anchor_mac: '',
  anchor_proof: '',
};

/** Appends a link after the head. It covers one half of an entry, its beginning or its outcome, or an event whole. */
export async function appendLink(
  tx: Transaction<BffTables>,
  mac: Mac,
  head: Head,
  kind: JournalLinkTable['kind'],
  entry: JournalTable,
): Promise<void> {
  const seq = head.seq + 1;
  const link = {
    seq,
    entry_id: entry.id,
    kind,
    mac: await mac('link', coveredText(head.mac, kind, seq, entry)),
  };
  await tx.insertInto('journal_links').values(link).execute();
  await tx.updateTable('journal_head').set({ seq, mac: link.mac }).where('id', '=', 1).execute();
}

/** What a link covers, as one text: the MAC of the link before, its own number, and its part of the entry. */
export function coveredText(
  before: string,
  kind: JournalLinkTable['kind'],
  seq: number,
  entry: JournalTable,
): string {
  // When a creation begins, the id of the new subscriber is not known yet.
  const isNew = kind === 'intent' && entry.operation === 'createSubscriber';
  const covered = isNew ? { ...entry, subscriber_id: null } : entry;
  const values = columns[kind].map((name) => covered[name]);
  // Only where there is one, so that older links hold as they are.
  if (kind !== 'outcome' && entry.job_id !== null) values.push(entry.job_id);
  return JSON.stringify([before, kind, seq, ...values]);
}

const intentColumns = [
  'id',
  'seq',
  'at',
  'staff_id',
  'staff_name',
  'operation',
  'subscriber_id',
  'username',
  'input',
  'before_record',
  'token_mac',
  'reason',
  'request_id',
  'undo_of',
  'lock_key',
] as const;

/** The columns that are empty until the outcome of a change is known. */
export const outcomeColumns = ['closed_seq', 'closed_at', 'outcome', 'code', 'after', 'version'] as const;

/** What a link of each kind covers. The kind of an entry follows from its operation. */
const columns = {
  intent: intentColumns,
  outcome: ['id', 'subscriber_id', ...outcomeColumns],
  event: [...intentColumns, ...outcomeColumns],
} as const satisfies Record<JournalLinkTable['kind'], readonly (keyof JournalTable)[]>;

/** Writes a head for an operator who keeps it elsewhere: `SEQ-MAC`. */
export const writeHead = ({ seq, mac }: Head) => `${seq}-${mac}`;

/** Reads what `writeHead` wrote; null for any other text. */
export function readHead(text: string): Head | null {
  const [, seq, mac] = /^(\d{1,15})-([\w-]*)$/.exec(text) ?? [];
  return seq === undefined || mac === undefined ? null : { seq: Number(seq), mac };
}

/** The MAC that proves that the BFF itself deleted the chain up to this link. */
export function proofOf(mac: Mac, anchor: Head): Promise<string> {
  return mac('anchor', writeHead(anchor));
}
