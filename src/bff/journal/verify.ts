import { sql } from 'kysely';
import { kindOf } from '../../contract/bff/journal.ts';
import {
  coveredText,
  emptyHead,
  findKeyFault,
  findLink,
  keyText,
  outcomeColumns,
  proofOf,
  proofOfEntry,
  searchColumnsOf,
  writeHead,
  type Head,
  type Mac,
} from './chain.ts';
import type { JournalHeadTable, JournalTable, LinkKind } from './schema.ts';
import type { BffDb } from '../schema.ts';

/** `fault`: a sentence with the first fault. */
type VerifyResult = { entries: number; head: Head; witnesses: number } | { fault: string };

/** A head that the log has, and when it was logged. */
export type LoggedHead = Head & { time: string };

/** Links that are read at once. */
const batch = 500;

/**
 * Recomputes the whole chain and finds its first fault. Servers may append to it in the meantime.
 *
 * @param exported a head that was kept elsewhere; only with one, or with logged ones, can a cut-off end be found
 * @param logged heads that the log has; those that are older than the oldest entry are left out
 * @returns `witnesses`: how many of the heads from elsewhere match
 */
export async function verifyJournal(
  db: BffDb,
  mac: Mac,
  exported: Head | null = null,
  logged: readonly LoggedHead[] = [],
): Promise<VerifyResult> {
  for (;;) {
    const start = await readHeadRow(db);
    const remaining = logged.filter(({ seq }) => seq >= start.anchor_seq);
    const witnesses = [...(exported ? [exported] : []), ...remaining];
    const fault = (await findFault(db, mac, start)) ?? (await checkWitnesses(db, start, witnesses));
    const end = await readHeadRow(db);
    // Old entries were deleted in the meantime, so what was read does not fit together.
    if (end.anchor_seq !== start.anchor_seq) continue;
    if (fault !== null) return { fault };
    const counted = db.selectFrom('journal').select((row) => row.fn.countAll<number>().as('count'));
    const entries = (await counted.where('seq', '<=', start.seq).executeTakeFirst())?.count ?? 0;
    return { entries, head: { seq: start.seq, mac: start.mac }, witnesses: witnesses.length };
  }
}

/** The stored head, as it is now. */
export async function readHeadRow(db: BffDb): Promise<JournalHeadTable> {
  const row = db.selectFrom('journal_head').selectAll().where('id', '=', 1);
  return (await row.executeTakeFirst()) ?? emptyHead;
}

async function findFault(db: BffDb, mac: Mac, head: JournalHeadTable): Promise<string | null> {
  const keyFault = (await findKeyFault(head, mac)) ?? findKeyLinkFault(head);
  if (keyFault !== null) return keyFault;
  const anchor: Head = { seq: head.anchor_seq, mac: head.anchor_mac };
  const proof = anchor.seq === 0 && anchor.mac === '' ? '' : await proofOf(mac, anchor);
  if (proof !== head.anchor_proof)
    return `The beginning of the journal, up to link ${anchor.seq}, was deleted by something other than Subscriber Desk.`;
  let last = anchor;
  for (;;) {
    const links = await readLinks(db, head, last.seq);
    if (links.length === 0) break;
    for (const link of links) {
      const fault = await findLinkFault(mac, head, last, link);
      if (fault !== null) return fault;
      last = link;
    }
  }
  if (last.seq !== head.seq || last.mac !== head.mac)
    return `The last link is ${last.seq}, but the stored head is ${writeHead(head)}: the end was cut off or changed.`;
  return findUnlinked(db);
}

/** A link of the chain: that of an entry, or the first under the external key. */
type Link = Head & ({ kind: LinkKind; entry: JournalTable } | { kind: 'key' });

function linksOf(entry: JournalTable): Link[] {
  const { kind, seq, mac, closed_seq: closedSeq, closed_mac: closedMac } = entry;
  if (kind !== 'change') return [{ kind: 'event', seq, mac, entry }];
  const intent: Link = { kind: 'intent', seq, mac, entry };
  return closedSeq === null
    ? [intent]
    : [intent, { kind: 'outcome', seq: closedSeq, mac: closedMac ?? '', entry }];
}

/** The next links after one, in their order. */
async function readLinks(db: BffDb, head: JournalHeadTable, after: number): Promise<Link[]> {
  const [first, last] = [after + 1, Math.min(after + batch, head.seq)];
  const query = db.selectFrom('journal').selectAll();
  const entries = await query
    .where((row) => row.or([row.between('seq', first, last), row.between('closed_seq', first, last)]))
    .execute();
  const key: Link = { kind: 'key', seq: head.key_seq, mac: head.key_mac };
  return [...entries.flatMap(linksOf), key]
    .filter(({ seq }) => seq >= first && seq <= last)
    .toSorted((one, other) => one.seq - other.seq);
}

/** Without the link of the key, all could be chained under the database's own key. */
function findKeyLinkFault(head: JournalHeadTable): string | null {
  const { seq, anchor_seq: anchor, key_id: id, key_seq: key, key_mac: mac } = head;
  const isInChain = key > anchor && key <= seq && mac !== '';
  const isBefore = key === (id === null ? 0 : anchor) && mac === '';
  const isRight = isBefore || (id !== null && isInChain);
  return isRight ? null : 'The stored head names no link of the chain as the first under the key.';
}

/** Finds a fault in a link, or in the half of an entry that it covers. */
async function findLinkFault(
  mac: Mac,
  head: JournalHeadTable,
  before: Head,
  link: Link,
): Promise<string | null> {
  const { seq } = link;
  if (seq !== before.seq + 1) return `Link ${before.seq + 1} is missing.`;
  if (link.kind === 'key') {
    const isRight = link.mac === (await mac('link', keyText(before.mac, seq)));
    return isRight ? null : `Link ${seq}, or something before it, was changed.`;
  }
  const { kind, entry } = link;
  if (isUnlinkedOutcome(entry))
    return `The outcome of entry ${entry.id} has no link, or its link has no outcome.`;
  if (entry.proof !== null) {
    const isProven = entry.proof === (await proofOfEntry(mac, entry)) && repeatsOthers(entry);
    return isProven
      ? null
      : `Entry ${entry.id} of link ${seq} was deleted or changed by something other than Subscriber Desk.`;
  }
  const sign = seq < head.key_seq ? mac.own : mac;
  const isRight = link.mac === (await sign('link', coveredText(before.mac, kind, seq, entry)));
  // What came before the anchor is covered by a proof alone.
  if (isRight && repeatsOthers(entry) && entry.seq > head.anchor_seq) return null;
  return `Link ${seq}, or ${covered[kind]} entry ${entry.id} that it covers, was changed.`;
}

/** True if somebody changed an entry, or a link of it that is still there. */
export async function hasFault(
  db: BffDb,
  mac: Mac,
  head: JournalHeadTable,
  entry: JournalTable,
): Promise<boolean> {
  for (const link of linksOf(entry).filter(({ seq }) => seq > head.anchor_seq)) {
    const before = { seq: link.seq - 1, mac: (await findLink(db, head, link.seq - 1)) ?? '' };
    if ((await findLinkFault(mac, head, before, link)) !== null) return true;
  }
  return false;
}

const covered = { intent: 'the beginning of', outcome: 'the outcome of', event: 'the' } as const;

/** True if the columns that no link covers are right: they only repeat others. */
function repeatsOthers(entry: JournalTable): boolean {
  if (entry.kind !== kindOf(entry.operation)) return false;
  const { username_key, account_id } = searchColumnsOf(entry);
  return entry.username_key === username_key && entry.account_id === account_id;
}

/** True if an entry has an outcome that no link covers. An open creation does not know its subscriber's id. */
function isUnlinkedOutcome(entry: JournalTable): boolean {
  const isLinked = entry.closed_seq !== null && entry.kind === 'change';
  if (isLinked !== (entry.closed_mac !== null)) return true;
  if (entry.closed_seq !== null) return entry.outcome === null;
  const isCreation = entry.operation === 'createSubscriber';
  return outcomeColumns.some((name) => entry[name] !== null) || (isCreation && entry.subscriber_id !== null);
}

async function checkWitnesses(
  db: BffDb,
  head: JournalHeadTable,
  witnesses: readonly (Head | LoggedHead)[],
): Promise<string | null> {
  for (const witness of witnesses) {
    const fault = await checkWitness(db, head, witness);
    if (fault !== null) return fault;
  }
  return null;
}

async function checkWitness(db: BffDb, head: JournalHeadTable, exported: Head | LoggedHead) {
  const name = writeHead(exported) + ('time' in exported ? `, logged at ${exported.time},` : '');
  if (exported.seq > head.seq)
    return `The head ${name} is missing: the journal now ends at link ${head.seq}.`;
  if (exported.seq < head.anchor_seq)
    return `The head ${name} is older than the oldest entry that is kept, so it cannot be checked. Keep a newer one.`;
  const own = await findLink(db, head, exported.seq);
  return own === exported.mac ? null : `The head ${name} does not match link ${exported.seq}.`;
}

/**
 * Finds an entry that is not in the chain. By one statement: it sees an entry that a server appends right now either with
 * its link or not at all.
 */
async function findUnlinked(db: BffDb): Promise<string | null> {
  const end = sql<number>`coalesce((select seq from journal_head where id = 1), 0)`;
  const anchor = sql<number>`coalesce((select anchor_seq from journal_head where id = 1), 0)`;
  const unlinked = await db
    .selectFrom('journal')
    .select('id')
    .where((row) =>
      row.or([
        row('seq', '>', end),
        row('closed_seq', '>', end),
        row('closed_seq', '<=', anchor),
        row.and([row('seq', '<=', anchor), row('closed_seq', 'is', null)]),
      ]),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return unlinked ? `Entry ${unlinked.id} has no link: the entry was added, or its link was removed.` : null;
}
