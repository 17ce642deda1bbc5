import { changeHeaders, checkFingerprint, keyLifetime } from '../../contract/http/change-headers.ts';
import { sealAnswer, sha256 as sha256ByWebCrypto, unsealAnswer } from '../../lib/crypto.ts';
import { type ProblemCode } from '../../contract/http/problem-codes.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { Subscriber, SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import type { Db, Mac } from './chain.ts';
import { isUsed, selectChanges } from './entries.ts';
import type { ChangeRow } from './schema.ts';

/** What a change has made of its subscriber. */
export interface ChangeResult {
  /** The id of its entry in the journal. */
  readonly entry: string;
  /**
   * The record afterwards; for a deletion, before it. Its token is masked, but for a regeneration, which is for the token
   * and answers no lists.
   */
  readonly record: Subscriber | SubscriberDetail;
  readonly etag: string | null;
  /** An earlier request with the same key has made the change. */
  readonly replayed?: true;
}

/** How a change ended that was sent: the result, or why the service or the BFF refused it. */
export type Ending = { result: ChangeResult } | { refusal: Problem };

/** One `Idempotency-Key`: its change is made once, and ends the same for each request. */
export interface IdempotencyKey {
  /** What the entry of the change has of it. */
  readonly claim: { readonly key_hash: string; readonly fingerprint: string };
  /**
   * Endings are encrypted under it. Null for a row of a job: nobody asks for its ending, which may hold a token.
   */
  readonly secret: string | null;
}

/**
 * @param name differs from that of each other key
 * @param request the operation and its input; reading it has put the fields into the contract's order
 */
export async function createIdempotencyKey(
  { mac, sha256 = sha256ByWebCrypto }: Pick<BffDeps, 'sha256'> & { mac: Mac },
  name: string,
  request: unknown,
  secret: string | null = null,
): Promise<IdempotencyKey> {
  const fingerprint = await mac('fingerprint', JSON.stringify(request));
  return { claim: { key_hash: await sha256(name), fingerprint }, secret };
}

/** The entry of the change with a key, if there is one. @throws {Problem} `key-used-before` if it is another change */
export async function findByKey(
  db: Db,
  { claim }: IdempotencyKey,
  now: number,
): Promise<ChangeRow | undefined> {
  const known = await selectChanges(db).where(isUsed(claim.key_hash, now)).executeTakeFirst();
  if (known) checkFingerprint(known.fingerprint ?? '', claim.fingerprint);
  return known;
}

/** Encrypts an ending, to store it with its entry; null where nobody will ask for it. */
export async function sealEnding(
  random: BffDeps['random'],
  { secret }: IdempotencyKey,
  ending: Ending,
): Promise<string | null> {
  return secret === null ? null : sealAnswer(secret, asStored(ending), random);
}

/** The stored result; null if there is none yet or it cannot be read. @throws {Problem} the stored problem */
export async function replayEnding(
  { secret }: IdempotencyKey,
  { answer }: Pick<ChangeRow, 'answer'>,
): Promise<ChangeResult | null> {
  return secret === null || answer === null ? null : resultOf(await unsealAnswer(secret, answer));
}

/** Stores a result that was found out later, unless there is one. @returns the stored result */
export async function rememberResult(
  { db, random }: Pick<BffDeps, 'db' | 'random'>,
  key: IdempotencyKey,
  result: ChangeResult,
): Promise<ChangeResult> {
  const answer = await sealEnding(random, key, { result });
  const entry = db.updateTable('journal').set({ answer }).where('id', '=', result.entry);
  await entry.where('answer', 'is', null).execute();
  const stored = await selectChanges(db).where('id', '=', result.entry).executeTakeFirst();
  return (stored && (await replayEnding(key, stored))) ?? { ...result, replayed: true };
}

function asStored(ending: Ending): unknown {
  if ('result' in ending) return ending;
  const { code, message, particulars } = ending.refusal;
  const { errors, obstacles } = particulars;
  return { refusal: { code, message, errors, obstacles } };
}

/** @throws {Problem} if that is what was stored */
function resultOf(stored: unknown): ChangeResult | null {
  // Made by `asStored` if it can be decrypted.
  const { result, refusal } = Object(stored) as {
    result?: ChangeResult;
    refusal?: { code: ProblemCode; message: string } & Problem['particulars'];
  };
  if (refusal) {
    const { code, message, ...particulars } = refusal;
    throw new Problem(code, message, { ...particulars, headers: { [changeHeaders.replayed]: 'true' } });
  }
  return result ? { ...result, replayed: true } : null;
}

/** Deletes the keys that have expired, with what is stored under them. */
export async function deleteExpiredKeys(db: Db, now: number): Promise<void> {
  await db
    .updateTable('journal')
    .set({ key_hash: null, fingerprint: null, answer: null })
    .where('key_hash', 'is not', null)
    .where('at', '<=', now - keyLifetime)
    .where('outcome', 'is not', null)
    .execute();
}
