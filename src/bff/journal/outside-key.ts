import type { Transaction } from 'kysely';
import type { BffTables } from '../schema.ts';
import {
  findKeyFault,
  JournalKeyError,
  keyText,
  lockHeadOfAnyKey,
  proofOf,
  proofOfLink,
  type EntryLink,
  type Mac,
} from './chain.ts';

/**
 * Puts the journal under the outside key, once: the first link under it covers the last one before, so that nothing older
 * can be edited either. To be called at the start.
 *
 * @returns the number of that link; null if there is no outside key, or the journal is under it already
 * @throws {JournalKeyError} if the journal is under another key
 */
export async function useOutsideKey(tx: Transaction<BffTables>, mac: Mac): Promise<number | null> {
  const head = await lockHeadOfAnyKey(tx);
  const keyId = await mac.keyId();
  if (keyId === null || head.key_id !== null) {
    const fault = await findKeyFault(head, mac);
    if (fault !== null) throw new JournalKeyError(fault);
    return null;
  }
  const seq = head.seq + 1;
  const link = { seq, mac: await mac('link', keyText(head.mac, seq)) };
  const anchor = { seq: head.anchor_seq, mac: head.anchor_mac };
  // A wrong proof stays wrong.
  const isProven = head.anchor_proof === (await proofOf(mac.own, anchor));
  const proof = isProven ? { anchor_proof: await proofOf(mac, anchor) } : {};
  await tx
    .insertInto('journal_links')
    .values({ ...link, entry_id: '', kind: 'key', proof: null })
    .execute();
  await tx
    .updateTable('journal_head')
    .set({ ...link, ...proof, key_id: keyId, key_seq: seq })
    .where('id', '=', 1)
    .execute();
  await proveAnew(tx, mac);
  return seq;
}

/** Proofs under the database's own key could be made by others, for entries that were never deleted. Wrong ones stay so. */
async function proveAnew(tx: Transaction<BffTables>, mac: Mac): Promise<void> {
  const proven = tx.selectFrom('journal_links').selectAll().where('proof', 'is not', null);
  for (const link of await proven.$narrowType<Pick<EntryLink, 'kind'>>().execute()) {
    const left = await tx
      .selectFrom('journal')
      .selectAll()
      .where('id', '=', link.entry_id)
      .executeTakeFirst();
    if (link.proof !== (await proofOfLink(mac.own, link, left))) continue;
    const proof = await proofOfLink(mac, link, left);
    await tx.updateTable('journal_links').set({ proof }).where('seq', '=', link.seq).execute();
  }
}
