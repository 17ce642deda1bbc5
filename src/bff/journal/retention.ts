import type { Transaction } from 'kysely';
import type { BffTables } from '../schema.ts';
import { proofOf, takeHead, type Db } from './chain.ts';
import type { Mac } from './mac.ts';

/**
 * Deletes the oldest part of the journal: links from the first on, and the entries that lie whole within them. It
 * ends before the first entry that is still open or was closed later than the cutoff.
 *
 * @param cutoff ms since 1970
 * @returns how many entries went
 */
export async function deleteOlder(db: Db, mac: Mac, cutoff: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const head = await takeHead(tx);
    const seq = await lastToDelete(tx, cutoff, head.seq);
    if (seq <= head.anchor_seq) return 0;
    const link = tx.selectFrom('journal_links').select(['seq', 'mac']).where('seq', '=', seq);
    const anchor = await link.executeTakeFirst();
    // A chain with a gap is for people to look at, not for this to hide.
    if (!anchor) return 0;
    const change = { anchor_seq: seq, anchor_mac: anchor.mac, anchor_proof: await proofOf(mac, anchor) };
    await tx.updateTable('journal_head').set(change).where('id', '=', 1).execute();
    await tx.deleteFrom('journal_links').where('seq', '<=', seq).execute();
    const { numDeletedRows } = await tx.deleteFrom('journal').where('seq', '<=', seq).executeTakeFirst();
    return Number(numDeletedRows);
  });
}

async function lastToDelete(tx: Transaction<BffTables>, cutoff: number, end: number): Promise<number> {
  const young = tx
    .selectFrom('journal')
    .select((row) => row.fn.min('seq').as('seq'))
    .where((row) => row.or([row('closed_at', 'is', null), row('closed_at', '>=', cutoff)]));
  let last = ((await young.executeTakeFirst())?.seq ?? end + 1) - 1;
  for (;;) {
    // An old entry that was closed only after a younger one had begun keeps what comes after its own beginning.
    const crossing = tx
      .selectFrom('journal')
      .select((row) => row.fn.min('seq').as('seq'))
      .where('seq', '<=', last)
      .where('closed_seq', '>', last);
    const seq = (await crossing.executeTakeFirst())?.seq ?? null;
    if (seq === null) return last;
    last = seq - 1;
  }
}
