import type { Transaction } from 'kysely';
import type { BffTables } from '../schema.ts';
import {
  findKeyFault,
  JournalKeyError,
  keyText,
  lockHeadOfAnyKey,
  proofOf,
  proofOfEntry,
  type Mac,
} from './chain.ts';

/**
 * Puts the journal under the external key, once: the first link under it covers the last one before, so that nothing older
 * can be edited either. To be called at the start.
 *
 * @returns the number of that link; null if there is no external key, or the journal is under it already
 * @throws {JournalKeyError} if the journal is under another key
 */
export async function useExternalKey(tx: Transaction<BffTables>, mac: Mac): Promise<number | null> {
  const head = await lockHeadOfAnyKey(tx);
  const keyId = await mac.keyId();
  if (keyId === null || head.key_id !== null) {
    const fault = await findKeyFault(head, mac);
    if (fault !== null) throw new JournalKeyError(fault);
    return null;
  }
  const seq = head.seq + 1;
  const own = await mac('link', keyText(head.mac, seq));
  const anchor = { seq: head.anchor_seq, mac: head.anchor_mac };
  // A wrong proof stays wrong.
  const isProven = head.anchor_proof === (await proofOf(mac.own, anchor));
  const proof = isProven ? { anchor_proof: await proofOf(mac, anchor) } : {};
  await tx
    .updateTable('journal_head')
    .set({ seq, mac: own, ...proof, key_id: keyId, key_seq: seq, key_mac: own })
    .where('id', '=', 1)
    .execute();
  await proveAnew(tx, mac);
  return seq;
}

/** Proofs under the database's own key could be made by others, for entries that were never deleted. Wrong ones stay so. */
async function proveAnew(tx: Transaction<BffTables>, mac: Mac): Promise<void> {
  const proven = tx.selectFrom('journal').selectAll().where('proof', 'is not', null);
  for (const entry of await proven.execute()) {
    if (entry.proof !== (await proofOfEntry(mac.own, entry))) continue;
    const proof = await proofOfEntry(mac, entry);
    await tx.updateTable('journal').set({ proof }).where('id', '=', entry.id).execute();
  }
}
