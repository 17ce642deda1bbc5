import type { JournalHeadTable, JournalLinkTable, JournalTable } from './schema.ts';
import { coveredText, proofOf, writeHead, type Db, type Head } from './chain.ts';
import type { Mac } from './mac.ts';
import { findStray } from './unlinked.ts';

export type Verdict = { entries: number; head: Head } | { fault: string };

/** How many links are read at a time. */
const batch = 500;

/**
 * Recomputes the whole chain, and names the first place at which it was changed. A desk may go on appending meanwhile.
 *
 * @param exported a head that was kept elsewhere: only by it a cut-off end is seen
 */
export async function verifyJournal(db: Db, mac: Mac, exported: Head | null = null): Promise<Verdict> {
  for (;;) {
    const start = await readHeadRow(db);
    const fault = (await findFault(db, mac, start)) ?? (await checkExported(db, start, exported));
    const end = await readHeadRow(db);
    // Old entries were deleted in the middle of it, by which what was read does not fit together.
    if (end.anchor_seq !== start.anchor_seq) continue;
    if (fault !== null) return { fault };
    const counted = db.selectFrom('journal').select((row) => row.fn.countAll<number>().as('count'));
    const entries = (await counted.where('seq', '<=', start.seq).executeTakeFirst())?.count ?? 0;
    return { entries, head: { seq: start.seq, mac: start.mac } };
  }
}

const none: JournalHeadTable = { id: 1, seq: 0, mac: '', anchor_seq: 0, anchor_mac: '', anchor_proof: '' };

async function readHeadRow(db: Db): Promise<JournalHeadTable> {
  return (await db.selectFrom('journal_head').selectAll().where('id', '=', 1).executeTakeFirst()) ?? none;
}

async function findFault(db: Db, mac: Mac, head: JournalHeadTable): Promise<string | null> {
  const anchor: Head = { seq: head.anchor_seq, mac: head.anchor_mac };
  const proof = anchor.seq === 0 && anchor.mac === '' ? '' : await proofOf(mac, anchor);
  if (proof !== head.anchor_proof)
    return `The beginning of the chain, after link ${anchor.seq}, is not where the desk cut it.`;
  let last = anchor;
  for (;;) {
    const links = await readLinks(db, last.seq, head.seq);
    if (links.length === 0) break;
    for (const { link, entry } of links) {
      const fault = await faultOf(mac, last, link, entry);
      if (fault !== null) return fault;
      last = link;
    }
  }
  if (last.seq !== head.seq || last.mac !== head.mac)
    return `Link ${last.seq} is the last one, but the head says ${writeHead(head)}: the end was cut off or changed.`;
  return findStray(db);
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

async function faultOf(
  mac: Mac,
  before: Head,
  link: JournalLinkTable,
  entry: JournalTable | undefined,
): Promise<string | null> {
  const { seq, kind } = link;
  if (seq !== before.seq + 1) return `Link ${before.seq + 1} is missing.`;
  if (kind !== 'intent' && kind !== 'outcome') return `Link ${seq} is of no kind that there is.`;
  if (!entry) return `Entry ${link.entry_id} of link ${seq} is missing.`;
  const expected = await mac('link', coveredText(before.mac, kind, seq, entry));
  if (expected === link.mac) return null;
  const half = kind === 'intent' ? 'beginning' : 'outcome';
  return `Link ${seq} or the ${half} of entry ${entry.id}, which it covers, was changed.`;
}

async function checkExported(db: Db, head: JournalHeadTable, exported: Head | null): Promise<string | null> {
  if (exported === null) return null;
  const name = writeHead(exported);
  if (exported.seq > head.seq)
    return `The head ${name} is no longer there: the chain ends at link ${head.seq}.`;
  if (exported.seq < head.anchor_seq)
    return `The head ${name} is older than what is kept, so it shows nothing any more. Export a newer one.`;
  const query = db.selectFrom('journal_links').select('mac').where('seq', '=', exported.seq);
  const own = exported.seq === head.anchor_seq ? head.anchor_mac : (await query.executeTakeFirst())?.mac;
  return own === exported.mac ? null : `The head ${name} is not that of link ${exported.seq}.`;
}
