import { kindOf } from '../../contract/bff/journal.ts';
import {
  coveredText,
  emptyHead,
  findKeyFault,
  keyText,
  outcomeColumns,
  proofOf,
  proofOfLink,
  searchColumnsOf,
  writeHead,
  type Db,
  type Head,
  type Mac,
} from './chain.ts';
import type { JournalHeadTable, JournalLinkTable, JournalTable } from './schema.ts';

/** `fault`: a sentence with the first fault. */
type VerifyResult = { entries: number; head: Head; witnesses: number } | { fault: string };

/** A head that the log has, and when it was logged. */
export type LoggedHead = Head & { time: string };

/** How many links are read at once. */
const batch = 500;

/**
 * Recomputes the whole chain and finds its first fault. Servers may append to it in the meantime.
 *
 * @param exported a head that was kept elsewhere; only with one, or with logged ones, can a cut-off end be found
 * @param logged heads that the log has; those that are older than the oldest entry are left out
 * @returns `witnesses`: how many of the heads from elsewhere match
 */
export async function verifyJournal(
  db: Db,
  mac: Mac,
  exported: Head | null = null,
  logged: readonly LoggedHead[] = [],
): Promise<VerifyResult> {
  for (;;) {
    const start = await readHeadRow(db);
    const kept = logged.filter(({ seq }) => seq >= start.anchor_seq);
    const witnesses = [...(exported ? [exported] : []), ...kept];
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
export async function readHeadRow(db: Db): Promise<JournalHeadTable> {
  const row = db.selectFrom('journal_head').selectAll().where('id', '=', 1);
  return (await row.executeTakeFirst()) ?? emptyHead;
}

async function findFault(db: Db, mac: Mac, head: JournalHeadTable): Promise<string | null> {
  const keyFault = (await findKeyFault(head, mac)) ?? findKeyLinkFault(head);
  if (keyFault !== null) return keyFault;
  const anchor: Head = { seq: head.anchor_seq, mac: head.anchor_mac };
  const proof = anchor.seq === 0 && anchor.mac === '' ? '' : await proofOf(mac, anchor);
  if (proof !== head.anchor_proof)
    return `The beginning of the journal, up to link ${anchor.seq}, was deleted by something other than Subscriber Desk.`;
  let last = anchor;
  for (;;) {
    const links = await readLinks(db, last.seq, head.seq);
    if (links.length === 0) break;
    for (const { link, entry } of links) {
      const fault = await findLinkFault(mac, head.key_seq, last, link, entry);
      if (fault !== null) return fault;
      last = link;
    }
  }
  if (last.seq !== head.seq || last.mac !== head.mac)
    return `The last link is ${last.seq}, but the stored head is ${writeHead(head)}: the end was cut off or changed.`;
  return findUnlinked(db);
}

async function readLinks(db: Db, after: number, upTo: number) {
  const query = db.selectFrom('journal_links').selectAll().where('seq', '>', after).where('seq', '<=', upTo);
  const links = await query.orderBy('seq').limit(batch).execute();
  const ids = [...new Set(links.map((link) => link.entry_id))];
  const entries =
    ids.length === 0 ? [] : await db.selectFrom('journal').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return links.map((link) => ({ link, entry: byId.get(link.entry_id) }));
}

/** Without the link of the key, all could be chained under the database's own key. */
function findKeyLinkFault({ seq, anchor_seq: anchor, key_id: id, key_seq: key }: JournalHeadTable) {
  const isRight = id === null ? key === 0 : key >= anchor && key <= seq;
  return isRight ? null : 'The stored head names no link of the chain as the first under the key.';
}

/** What is wrong with a link, or with the half of an entry that it covers. */
export async function findLinkFault(
  mac: Mac,
  keySeq: number,
  before: Head,
  link: JournalLinkTable,
  entry: JournalTable | undefined,
): Promise<string | null> {
  const { seq, kind } = link;
  if (seq !== before.seq + 1) return `Link ${before.seq + 1} is missing.`;
  if (!Object.hasOwn(covered, kind)) return `Link ${seq} has an unknown kind.`;
  if ((kind === 'key') !== (seq === keySeq)) return `Link ${seq} is not the first under the key.`;
  if (kind === 'key') {
    const isPlain = link.entry_id === '' && link.proof === null;
    const isRight = isPlain && link.mac === (await mac('link', keyText(before.mac, seq)));
    return isRight ? null : `Link ${seq}, or something before it, was changed.`;
  }
  if (link.proof === null && !entry) return `Entry ${link.entry_id} of link ${seq} is missing.`;
  const isRight =
    link.proof === null && entry
      ? link.mac === (await (seq < keySeq ? mac.own : mac)('link', coveredText(before.mac, kind, seq, entry)))
      : link.proof === (await proofOfLink(mac, { ...link, kind }, entry));
  if (isRight && (!entry || repeatsOthers(entry))) return null;
  if (link.proof === null)
    return `Link ${seq}, or ${covered[kind]} entry ${link.entry_id} that it covers, was changed.`;
  return `Entry ${link.entry_id} of link ${seq} was deleted or changed by something other than Subscriber Desk.`;
}

/** Whether the columns that no link covers are right: they only repeat others. */
function repeatsOthers(entry: JournalTable): boolean {
  if (entry.kind !== kindOf(entry.operation)) return false;
  const { username_key, account_id } = searchColumnsOf(entry);
  return entry.username_key === username_key && entry.account_id === account_id;
}

const covered = { intent: 'the beginning of', outcome: 'the outcome of', event: 'the', key: '' } as const;

async function checkWitnesses(
  db: Db,
  head: JournalHeadTable,
  witnesses: readonly (Head | LoggedHead)[],
): Promise<string | null> {
  for (const witness of witnesses) {
    const fault = await checkWitness(db, head, witness);
    if (fault !== null) return fault;
  }
  return null;
}

async function checkWitness(db: Db, head: JournalHeadTable, exported: Head | LoggedHead) {
  const name = writeHead(exported) + ('time' in exported ? `, logged at ${exported.time},` : '');
  if (exported.seq > head.seq)
    return `The head ${name} is missing: the journal now ends at link ${head.seq}.`;
  if (exported.seq < head.anchor_seq)
    return `The head ${name} is older than the oldest entry that is kept, so it cannot be checked. Keep a newer one.`;
  const query = db.selectFrom('journal_links').select('mac').where('seq', '=', exported.seq);
  const own = exported.seq === head.anchor_seq ? head.anchor_mac : (await query.executeTakeFirst())?.mac;
  return own === exported.mac ? null : `The head ${name} does not match link ${exported.seq}.`;
}

/**
 * Finds an entry that no link covers. Each check is one statement: it sees an entry that a server appends right now
 * either with its link or not at all.
 */
async function findUnlinked(db: Db): Promise<string | null> {
  const beginning = await db
    .selectFrom('journal')
    .select('id')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('journal_links')
            .select('journal_links.seq')
            .whereRef('journal_links.entry_id', '=', 'journal.id')
            .whereRef('journal_links.seq', '=', 'journal.seq')
            .where('journal_links.kind', 'in', ['intent', 'event']),
        ),
      ),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (beginning) return `Entry ${beginning.id} has no link: the entry was added, or its link was removed.`;
  const closed = await findUnlinkedOutcome(db);
  return closed === null ? null : `The outcome of entry ${closed} has no link, or its link has no outcome.`;
}

async function findUnlinkedOutcome(db: Db): Promise<string | null> {
  const found = await db
    .selectFrom('journal')
    .leftJoin('journal_links as link', (join) =>
      join.onRef('link.entry_id', '=', 'journal.id').on('link.kind', 'in', ['outcome', 'event']),
    )
    .select('journal.id')
    .where((row) =>
      row.or([
        row.and([
          row('link.seq', 'is', null),
          row.or(outcomeColumns.map((name) => row(name, 'is not', null))),
        ]),
        // While a creation is open, the id of its subscriber is not known.
        row.and([
          row('link.seq', 'is', null),
          row('operation', '=', 'createSubscriber'),
          row('subscriber_id', 'is not', null),
        ]),
        row.and([row('link.seq', 'is not', null), row('outcome', 'is', null)]),
      ]),
    )
    .orderBy('journal.seq')
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}
