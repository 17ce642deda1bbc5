import type { Kysely, Transaction } from 'kysely';
import type { JournalHeadTable, JournalLinkTable, JournalTable } from './schema.ts';
import type { BffTables } from '../schema.ts';
import type { Mac } from './mac.ts';

type Db = Kysely<BffTables>;

/** Where the chain ends. */
export type Head = Pick<JournalHeadTable, 'seq' | 'mac'>;

/**
 * Takes the end of the chain, which makes whoever appends next wait until this transaction ends. To be done first in
 * it: what is read afterwards is what the one before has left.
 */
export async function takeHead(tx: Transaction<BffTables>): Promise<JournalHeadTable> {
  const take = () =>
    tx
      .updateTable('journal_head')
      .set((head) => ({ seq: head.ref('seq') }))
      .where('id', '=', 1)
      .returningAll()
      .executeTakeFirst();
  const head = await take();
  if (head) return head;
  const first = { id: 1, seq: 0, mac: '', anchor_seq: 0, anchor_mac: '', anchor_proof: '' };
  const ifNone = tx.insertInto('journal_head').values(first);
  await ifNone.onConflict((conflict) => conflict.column('id').doNothing()).execute();
  return (await take()) ?? first;
}

/** Appends the link that covers one half of an entry, which carries the number after the head's. */
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

/** What a link covers, as one text: the link before, its own place, and its half of the entry, column by column. */
export function coveredText(
  before: string,
  kind: JournalLinkTable['kind'],
  seq: number,
  entry: JournalTable,
): string {
  const whole = kind === 'outcome' ? entry : { ...entry, subscriber_id: idAtFirst(entry) };
  return JSON.stringify([before, kind, seq, ...columns[kind].map((name) => whole[name])]);
}

/** Whom a change is about is known at its beginning, but for a creation. */
const idAtFirst = (entry: JournalTable) =>
  entry.operation === 'createSubscriber' ? null : entry.subscriber_id;

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

/** The code by which the desk shows that it cut the chain at a link itself. */
export function proofOf(mac: Mac, anchor: Head): Promise<string> {
  return mac('anchor', writeHead(anchor));
}

export type { Db };
