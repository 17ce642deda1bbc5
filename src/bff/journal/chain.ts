import type { Kysely, Transaction } from 'kysely';
import { fromBase64url, toBase64url } from '../../contract/http/crypto.ts';
import type { BffTables } from '../schema.ts';
import type { JournalHeadTable, JournalLinkTable, JournalTable } from './schema.ts';

export type Db = Kysely<BffTables>;

/** The purpose of a keyed code; the same text has another code for another purpose. */
type Purpose = 'link' | 'anchor' | 'token' | 'fingerprint';

/** HMAC-SHA-256 of a text, in base64url: only the holder of the key can make it. */
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

/** The end of the chain. */
export type Head = Pick<JournalHeadTable, 'seq' | 'mac'>;

/**
 * Locks the end of the chain until this transaction ends, so that one transaction at a time appends. Call it first: only
 * what is read afterwards is what the previous transaction has left.
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

/** Appends the link that covers one half of an entry; its number is the one after the head's. */
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

/** All that a link covers, as one text: the link before it, its own number, and its half of the entry, column by column. */
export function coveredText(
  before: string,
  kind: JournalLinkTable['kind'],
  seq: number,
  entry: JournalTable,
): string {
  // The id of a new subscriber is not known when its creation begins.
  const isNew = kind === 'intent' && entry.operation === 'createSubscriber';
  const covered = isNew ? { ...entry, subscriber_id: null } : entry;
  return JSON.stringify([before, kind, seq, ...columns[kind].map((name) => covered[name])]);
}

const columns = {
  intent: [
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
  ],
  outcome: ['id', 'subscriber_id', 'closed_seq', 'closed_at', 'outcome', 'code', 'after', 'version'],
} as const satisfies Record<JournalLinkTable['kind'], readonly (keyof JournalTable)[]>;

/** The head as an operator keeps it elsewhere: `SEQ-MAC`. */
export const writeHead = ({ seq, mac }: Head) => `${seq}-${mac}`;

export function readHead(text: string): Head | null {
  const [, seq, mac] = /^(\d{1,15})-([\w-]*)$/.exec(text) ?? [];
  return seq === undefined || mac === undefined ? null : { seq: Number(seq), mac };
}

/** The code by which the BFF shows that it deleted everything up to a link itself. */
export function proofOf(mac: Mac, anchor: Head): Promise<string> {
  return mac('anchor', writeHead(anchor));
}
