import type { Transaction } from 'kysely';
import type { EventDetails } from '../../contract/bff/journal.ts';
import { lockRow } from '../lock-row.ts';
import { createWebHmac, type CreateHmac } from '../../lib/crypto.ts';
import { Problem } from '../../contract/http/problem.ts';
import { searchText } from '../../contract/service/search-text.ts';
import type { BffTables, BffDb } from '../schema.ts';
import type { JournalHeadTable, JournalTable, LinkKind } from './schema.ts';

/** Purpose of a MAC. The same text has a different MAC for each purpose, so none can stand in for another. */
type Purpose = 'link' | 'anchor' | 'proof' | 'key-id' | 'token' | 'fingerprint' | 'version' | 'job';

/** Computes the HMAC-SHA-256 of a text, in base64url. Only the holder of the key can. */
type Sign = (purpose: Purpose, text: string) => Promise<string>;

/** Signs with the keys of the journal. */
export interface Mac extends Sign {
  /** The same with the database's own key alone, which made the links before the external key. */
  own: Sign;
  /** A public name of the external key; null without one. */
  keyId(): Promise<string | null>;
}

/**
 * Purposes of the external key. The rest stays with the database's own key: it shows no edit, it is compared with what
 * was signed before the external key came, and versions go to browsers that send them back later.
 */
const chainPurposes: readonly Purpose[] = ['link', 'anchor', 'proof', 'key-id'];

/**
 * @param secret the database's own key, 32 bytes in base64url
 * @param external a key of the same form that is kept outside the database
 */
export function createMac(secret: string, external: string | null = null, createHmac = createWebHmac): Mac {
  const own = createSign(createHmac(secret));
  const chain = external === null ? own : createSign(createHmac(external));
  const sign: Sign = (purpose, text) => (chainPurposes.includes(purpose) ? chain : own)(purpose, text);
  let keyId: Promise<string | null> | null = null;
  const findKeyId = async () => (external === null ? null : chain('key-id', ''));
  return Object.assign(sign, { own, keyId: () => (keyId ??= findKeyId()) });
}

const createSign =
  (hmac: ReturnType<CreateHmac>): Sign =>
  async (purpose, text) =>
    hmac(`${purpose}\n${text}`);

/** The last link of the chain: its number and its MAC. */
export type Head = Pick<JournalHeadTable, 'seq' | 'mac'>;

/**
 * Locks the end of the chain until the transaction ends, so that one transaction at a time appends. Call it before any
 * read: what was read before the lock may already be outdated.
 *
 * @throws {JournalKeyError} if the journal is under another key
 */
export async function lockHead(tx: Transaction<BffTables>, mac: Mac): Promise<JournalHeadTable> {
  const head = await lockHeadOfAnyKey(tx);
  const fault = await findKeyFault(head, mac);
  if (fault !== null) throw new JournalKeyError(fault);
  return head;
}

/** The journal is under another key than the one that was given; it says what to do. */
export class JournalKeyError extends Error {
  override readonly name = 'JournalKeyError';
}

export async function findKeyFault({ key_id: used }: JournalHeadTable, mac: Mac): Promise<string | null> {
  const given = await mac.keyId();
  if (used === given) return null;
  if (given === null)
    return 'The journal is under a key that is kept outside the database. Set JOURNAL_KEY or JOURNAL_KEY_FILE to this key.';
  return used === null
    ? 'The journal is not under the key in JOURNAL_KEY. Start a server with this key first. If one has been started with it, somebody took the key out of the database.'
    : 'The journal is under another key than the one in JOURNAL_KEY. Set it to the key that was used before.';
}

export async function lockHeadOfAnyKey(tx: Transaction<BffTables>): Promise<JournalHeadTable> {
  const lock = () => lockRow(tx, 'journal_head', { id: 1 });
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
  key_id: null,
  key_seq: 0,
  key_mac: '',
};

/** The end of the chain, which a transaction holds. */
interface ChainEnd {
  /** The number of the next link. */
  next(): number;
  /** The MAC of the next link, which covers one half of an entry, its beginning or its outcome, or an event whole. */
  sign(kind: LinkKind, entry: CoveredEntry): Promise<string>;
  /** Appends the next link, once its entry is written. */
  append(mac: string): void;
}

/** Holds the end of the chain, as `lockHead` does, for work that may append to it. */
export async function atEnd<T>(
  tx: Transaction<BffTables>,
  mac: Mac,
  work: (end: ChainEnd) => Promise<T>,
): Promise<T> {
  const first = await lockHead(tx, mac);
  let last: Head = first;
  const next = () => last.seq + 1;
  const result = await work({
    next,
    sign: (kind, entry) => mac('link', coveredText(last.mac, kind, next(), entry)),
    append: (own) => void (last = { seq: next(), mac: own }),
  });
  if (last !== first)
    await tx.updateTable('journal_head').set({ seq: last.seq, mac: last.mac }).where('id', '=', 1).execute();
  return result;
}

/** Runs work that may append to the chain, in a transaction. */
export type Append = <T>(work: (tx: Transaction<BffTables>, end: ChainEnd) => Promise<T>) => Promise<T>;

/** The most work in one transaction. */
const mostTogether = 32;

/**
 * Lets work share transactions, and so their durable commits: a job changes 434 rows a second with it, 353 without. A
 * problem, such as of the database, ends all that shared the transaction, and nothing of it was done. By any other error a
 * work fails alone: all of them are run once more, each in a transaction of its own.
 *
 * @param isBusy whether more work may come in a moment
 */
export function createAppend(db: BffDb, mac: Mac, isBusy: () => boolean = () => false): Append {
  interface Work {
    run: (tx: Transaction<BffTables>, end: ChainEnd) => Promise<() => void>;
    reject: (error: unknown) => void;
  }
  const waiting: Work[] = [];
  let isRunning = false;
  const runAll = async (together: readonly Work[]) => {
    const runEach = async (tx: Transaction<BffTables>, end: ChainEnd) => {
      const ends: (() => void)[] = [];
      for (const { run } of together) ends.push(await run(tx, end));
      return ends;
    };
    try {
      const ends = await db.transaction().execute((tx) => atEnd(tx, mac, (end) => runEach(tx, end)));
      for (const end of ends) end();
    } catch (error) {
      // A problem is nobody's fault, or it is unclear whether the transaction was done.
      if (together.length === 1 || error instanceof Problem) for (const { reject } of together) reject(error);
      else for (const alone of together) await runAll([alone]);
    }
  };
  const start = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      if (isBusy()) await new Promise((resolve) => setTimeout(resolve));
      await runAll(waiting.splice(0, mostTogether));
    }
    isRunning = false;
  };
  return (work) =>
    new Promise((resolve, reject) => {
      const run: Work['run'] = async (tx, end) => {
        const result = await work(tx, end);
        return () => resolve(result);
      };
      waiting.push({ run, reject });
      if (!isRunning) void start();
    });
}

/** The text that a link covers: the MAC of the link before, its own number, and its part of the entry. */
export function coveredText(before: string, kind: LinkKind, seq: number, entry: CoveredEntry): string {
  // When a creation begins, the id of the new subscriber is not known yet.
  const isNew = kind === 'intent' && entry.operation === 'createSubscriber';
  const covered = isNew ? { ...entry, subscriber_id: null } : entry;
  return JSON.stringify([before, kind, seq, ...columns[kind].map((name) => covered[name])]);
}

const openingColumns = [
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
  'job_id',
  'lock_key',
] as const;

/** The text of the first link under an external key: all before it, by the MAC of the last. */
export const keyText = (before: string, seq: number): string => JSON.stringify([before, 'key', seq]);

/** The columns that are empty until the outcome of a change is known. */
export const outcomeColumns = ['closed_seq', 'closed_at', 'outcome', 'code', 'after', 'version'] as const;

/** Columns that a link of each kind covers. The kind of an entry follows from its operation. */
const columns = {
  intent: openingColumns,
  outcome: ['id', 'subscriber_id', ...outcomeColumns],
  event: [...openingColumns, ...outcomeColumns],
} as const satisfies Record<LinkKind, readonly (keyof JournalTable)[]>;

type CoveredEntry = Pick<JournalTable, (typeof columns)['event'][number]>;

/** The stored part of an event besides its author, its subject and its time. */
export interface EventInput {
  account: { id: string; name: string } | null;
  details: EventDetails;
}

/** Reads what `createRecordEvent` has stored; the contract checks it where it goes out. */
export function readEventInput({ input }: Pick<JournalTable, 'input'>): EventInput {
  return JSON.parse(input ?? '{"account":null,"details":{}}') as EventInput;
}

/**
 * A subscriber's name as an entry has it. What the service calls a name may be longer than what an index of PostgreSQL
 * takes: 2,704 bytes, of which these 200 UTF-16 units need at most 1,800 once they are folded.
 */
export const nameInEntry = (username: string): string => username.slice(0, 200).toWellFormed();

/** The columns by which entries are searched. They only repeat others, so no link covers them. */
export function searchColumnsOf(entry: Pick<JournalTable, 'kind' | 'username' | 'input'>) {
  return {
    username_key: searchText(entry.username),
    account_id: entry.kind === 'staff' ? (readEventInput(entry).account?.id ?? null) : null,
  };
}

/** Writes a head for an operator who keeps it elsewhere: `SEQ-MAC`. */
export const writeHead = ({ seq, mac }: Head) => `${seq}-${mac}`;

/** Reads what `writeHead` wrote; null for any other text. */
export function readHead(text: string): Head | null {
  const [, seq, mac] = /^(\d{1,15})-([\w-]*)$/.exec(text) ?? [];
  return seq === undefined || mac === undefined ? null : { seq: Number(seq), mac };
}

/** The MAC that proves that the BFF itself deleted the chain up to this link. */
export function proofOf(mac: Sign, anchor: Head): Promise<string> {
  return mac('anchor', writeHead(anchor));
}

/**
 * The MAC that proves that the BFF itself erased part of an entry, or deleted what came before its outcome, so that its links
 * can no longer be computed. It covers what remains of the entry, so that nobody can change that either.
 */
export function proofOfEntry(mac: Sign, entry: JournalTable): Promise<string> {
  return mac('proof', JSON.stringify([entry.mac, entry.closed_mac, coveredText('', 'event', 0, entry)]));
}

/** The MAC of a link; undefined if there is no such link. */
export async function findLink(db: BffDb, head: JournalHeadTable, seq: number): Promise<string | undefined> {
  if (seq === head.anchor_seq) return head.anchor_mac;
  if (seq === head.key_seq) return head.key_mac;
  const row = await db
    .selectFrom('journal')
    .select(['seq', 'mac', 'closed_mac'])
    .where((entry) => entry.or([entry('seq', '=', seq), entry('closed_seq', '=', seq)]))
    .executeTakeFirst();
  return row && ((row.seq === seq ? row.mac : row.closed_mac) ?? undefined);
}
