import { checkFingerprint, keyLifetime } from '../../contract/http/change-headers.ts';
import { sha256 as sha256ByWebCrypto } from '../../lib/crypto.ts';
import type { BffDeps } from '../deps.ts';
import type { Mac } from './chain.ts';
import { isUsed, selectChanges } from './entries.ts';
import type { ChangeRow } from './schema.ts';
import type { BffDb } from '../schema.ts';

/** The part of a change's entry from its `Idempotency-Key`: it is made once, however often it is requested. */
export interface IdempotencyKey {
  readonly key_hash: string;
  readonly fingerprint: string;
}

/**
 * @param name differs from that of each other key
 * @param request the operation and its input; reading it has put the fields into the contract's order
 */
export async function createIdempotencyKey(
  { mac, sha256 = sha256ByWebCrypto }: Pick<BffDeps, 'sha256'> & { mac: Mac },
  name: string,
  request: unknown,
): Promise<IdempotencyKey> {
  const fingerprint = await mac('fingerprint', JSON.stringify(request));
  return { key_hash: await sha256(name), fingerprint };
}

/** The entry of the change with a key, if there is one. @throws {Problem} `key-used-before` if it is another change */
export async function findByKey(
  db: BffDb,
  { key_hash, fingerprint }: IdempotencyKey,
  now: number,
): Promise<ChangeRow | undefined> {
  const known = await selectChanges(db).where(isUsed(key_hash, now)).executeTakeFirst();
  if (known) checkFingerprint(known.fingerprint ?? '', fingerprint);
  return known;
}

/** Keys that are looked at in one statement; 500 that have expired take 4 ms on SQLite. */
const atOnce = 500;

/** Deletes the keys that have expired. Others have their turn between portions of them. */
export async function deleteExpiredKeys(
  { db, wait }: Pick<BffDeps, 'db'> & { wait: (ms: number) => Promise<void> },
  now: number,
): Promise<void> {
  const keys = db.selectFrom('journal').select('key_hash').orderBy('key_hash').limit(atOnce);
  for (let after = ''; ;) {
    const last = (await keys.where('key_hash', '>', after).execute()).at(-1)?.key_hash;
    if (typeof last !== 'string') return;
    await db
      .updateTable('journal')
      .set({ key_hash: null, fingerprint: null })
      .where('key_hash', '>', after)
      .where('key_hash', '<=', last)
      .where('at', '<=', now - keyLifetime)
      .where('outcome', 'is not', null)
      .execute();
    after = last;
    await wait(0);
  }
}
